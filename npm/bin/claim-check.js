#!/usr/bin/env node
import { main } from '../dist/mcp/proxy/cli.js';

await main(process.argv.slice(2));
