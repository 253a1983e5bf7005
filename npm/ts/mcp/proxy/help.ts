/** What `claim-check --help` says. */
export const HELP = `Checks oversized tool results in: a head and a handle enter the conversation, and the rest
can be read back.

usage: claim-check mcp [options] -- COMMAND ARGS...   puts an MCP server behind a claim check
       claim-check mcp --help                         lists the options
       claim-check --version
`;

/** What `claim-check mcp --help` says. */
export const HELP_MCP = `usage: claim-check mcp [options] -- COMMAND ARGS...

Starts an MCP server that speaks over standard input and output, and passes every message on as it is, but for large
results: those are kept in a folder of yours, and a head, a tail and a handle enter the conversation. Two tools are
added to the server's, fetch_result and find_in_result, with which the model reads the rest.

  --policy TOOL=POLICY  when a tool's results are kept; may be given again. TOOL * is every tool that is not named.
                        POLICY is never, or any of these, with a comma between two:
                          threshold:8000  results of more characters are kept
                          head:1500       so many characters of the beginning stay in the conversation
                          tail:500        and so many of the end
                          ttl:24h         for so long the rest can be read (s, m, h, d)
  --window N            how many characters one call of fetch_result returns; 4096
  --structured keep     leaves results with structured content as they are, whatever their size, and output schemas, for
                        clients that compute with them
  --max-chars N         cuts results to N characters and keeps nothing: no folder, no tools
  --no-neutralise       leaves chat markers, terminal escapes and invisible characters in results as they are
  --tenant NAME         whose results they are, where several people use one folder; local
  --data FOLDER         where results and the ids of runs are kept; the user's own data folder
  --new-run             starts a new run: handles of earlier sessions can't be read in this one
  --forget-on-exit      forgets this run's results when the session ends
  --explain FILE        writes what was saved to FILE, as JSON and without content, at the end and on SIGUSR1
  --config FILE         reads options from a JSON file: {"policy": {"*": {"threshold": 20000}}, "tenant": "local", ...}
  --help, --version

The variable CLAIM_CHECK_MCP can hold the same JSON as the file. The command line counts before it, and it before the
file; policies of different tools add up. The exit code is the server's; 2 where an option makes no sense, 126 or 127
where the server can't be started.
`;
