// The programs in a README: every fence of `js`, as a module of its own.
//
// A comment right before a fence says what it takes as given, `<!-- given: model -->` (from given.mjs), or why it can't
// be run, `<!-- not run: … -->`. A fence of `text` right after one, under `<!-- printed -->`, is what it prints.

const FENCE = /(?:<!-- (given|not run): ([^>]*?) -->\n+)?```(\w+)[^\n]*\n([^]*?)\n```(?:\n+<!-- printed -->\n+```text\n([^]*?)\n```)?/g;

/** Where a snippet starts, its program, what it prints where that is said, and why it is not run where it isn't. */
export function snippets(markdown) {
  return [...markdown.matchAll(FENCE)]
    .filter(([, , , language]) => ['js', 'mjs', 'javascript', 'ts', 'typescript'].includes(language))
    .map(([whole, comment, said, , code, printed]) => {
      const line = markdown.slice(0, markdown.indexOf(whole)).split('\n').length;
      const given = comment === 'given' ? `import { ${said} } from './given.mjs';\n` : '';
      return { line, program: given + code, printed, notRun: comment === 'not run' ? said : undefined };
    });
}
