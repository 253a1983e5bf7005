// The vectors in a worker: they come as the request, and what is printed is the answer.

import { ClaimCheck, neutralise, truncate } from 'claim-check';
import { run } from '../vectors/run.mjs';

export default {
  async fetch(request) {
    const lines = [];
    try {
      const subject = { open: (options) => ClaimCheck.open(options), neutralise, truncate };
      await run(await request.json(), subject, 'core', (line) => lines.push(line));
    } catch (error) {
      lines.push(`the worker failed: ${error.stack}`);
    }
    return Response.json(lines);
  },
};
