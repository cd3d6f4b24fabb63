#!/usr/bin/env node
// Plain JavaScript that any Node runs: an older one hands over to the Node that is installed beside the program.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleOfSources } from './bundle.js'

const oldestMajor = 24

if (Number(process.versions.node.split('.')[0]) >= oldestMajor) {
  // Agents start "loci mcp" anew for each session and wait for it: what was compiled once is kept in the system's
  // directory for temporary files. Here, so that not even the first TypeScript file has to be compiled.
  module.enableCompileCache()
  const bundle = bundleOfSources()
  if (existsSync(bundle)) {
    module.setSourceMapsSupport(true)
    await import(pathToFileURL(bundle).href)
  } else {
    await import('../src/main.ts')
  }
} else {
  const node = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url))
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
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
