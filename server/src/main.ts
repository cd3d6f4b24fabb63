import { enableCompileCache } from 'node:module'

// Agents start `loci mcp` anew for each session and wait for it: what was compiled once is kept in the system's
// directory for temporary files.
enableCompileCache()
const { runCommandLine } = await import('./commands/command-line.ts')
await runCommandLine(process.argv)
