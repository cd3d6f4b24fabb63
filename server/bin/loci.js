#!/usr/bin/env node
// Plain JavaScript that any Node runs: an older one hands over to the Node that is installed beside the program.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const oldestMajor = 24
const main = new URL('../src/main.ts', import.meta.url)

if (Number(process.versions.node.split('.')[0]) >= oldestMajor) {
  await import(main.href)
} else {
  const node = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url))
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('error', () => {
    console.error(
      `Loci needs Node ${oldestMajor} or newer; this is ${process.version}. In the repository, run "npm start" once.`,
    )
    process.exitCode = 1
  })
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
