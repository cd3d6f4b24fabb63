// Starts Loci's MCP server: the program that the plugin carries, else that of the clone which the plugin came from
// ("npm start" notes its place in clone.json), else the published package.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const beside = (path) => fileURLToPath(new URL(path, import.meta.url))
const carried = beside('program/server/bin/loci.js')
const program = [carried, beside('../../server/bin/loci.js'), placeOfClone()].find((path) => existsSync(path))

if (program === undefined) startPublished()
else {
  process.argv = [process.argv[0], program, 'mcp']
  await import(pathToFileURL(program).href)
}

function placeOfClone() {
  const file = beside('clone.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).program : ''
}

/** Of this plugin's version, from npm's cache if it is there. */
function startPublished() {
  const { version } = JSON.parse(readFileSync(beside('.claude-plugin/plugin.json'), 'utf8'))
  const args = ['-y', '--prefer-offline', `@loci/loci@${version}`, 'mcp']
  // On Windows npx is a command file, which only a shell can start.
  const child = spawn('npx', args, { stdio: 'inherit', shell: process.platform === 'win32' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`Loci could not be started: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
