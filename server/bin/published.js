#!/usr/bin/env node
// `loci` of the published package (scripts/pack/). Plain JavaScript that even an old Node reads, to say what it lacks.
import { keepCompiledCode } from './compile-cache.js'
import { oldestNode } from './oldest-node.js'

if (isAtLeast(oldestNode)) {
  leaveOutSqliteWarning()
  keepCompiledCode()
  await import('../dist/main.js')
} else {
  console.error(
    `Loci needs Node ${oldestNode} or newer; this is ${process.version}. Install a newer one from https://nodejs.org and start Loci again.`,
  )
  process.exitCode = 1
}

function isAtLeast(version) {
  const [major, minor] = version.split('.').map(Number)
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number)
  return ourMajor > major || (ourMajor === major && ourMinor >= minor)
}

/** Node 22 calls its SQLite experimental each time it starts, into the log of whoever starts us. */
function leaveOutSqliteWarning() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature'))
      emitWarning.call(process, warning, ...rest)
  }
}
