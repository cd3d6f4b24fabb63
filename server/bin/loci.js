#!/usr/bin/env node
// Plain JavaScript that any Node runs: an older one hands over to the Node that is installed beside the program.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleOfSources } from './bundle.js'
import { keepCompiledCode } from './compile-cache.js'
import { explainMissingNode, installedNode, isNewEnough } from './runtime.js'

if (process.connected) endWithParent()

if (isNewEnough) {
  // First, so that not even the first TypeScript file has to be compiled.
  keepCompiledCode()
  const bundle = bundleOfSources()
  if (existsSync(bundle)) {
    module.setSourceMapsSupport(true)
    await import(pathToFileURL(bundle).href)
  } else {
    await import('../src/main.ts').catch(explainMissingPackage)
  }
} else {
  // A socket that systemd passes to this process is meant for the one that serves.
  const { LISTEN_FDS, LISTEN_PID, ...env } = process.env
  const sockets = LISTEN_FDS === '1' && Number(LISTEN_PID) === process.pid ? [3] : []
  if (sockets.length > 0) env.LISTEN_FDS = LISTEN_FDS
  // The channel closes when this process ends, however it ends.
  const stdio = ['inherit', 'inherit', 'inherit', ...sockets, 'ipc']
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(installedNode, args, { stdio, env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', () => {
    console.error(explainMissingNode())
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}

/** The older Node that handed over to us may be killed; then we stop as if we had been asked to. */
function endWithParent() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // To listen must not keep a process that has nothing left to do.
  process.channel.unref()
}

/** A fresh copy of the repository has no packages yet. */
function explainMissingPackage(error) {
  const [, name] = /^Cannot find package '([^']+)'/.exec(error?.message) ?? []
  if (name === undefined) throw error
  console.error(`Loci's package ${name} is not installed. In the repository, run "npm start" once.`)
  process.exitCode = 1
}
