// Plain JavaScript, as loci.js: the Node that the program runs on, and what to do where it is missing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldestMajor = 24
const packageDirectory = fileURLToPath(new URL('../../node_modules/node', import.meta.url))

/** The Node that is installed beside the program, which an older one hands over to. */
export const installedNode = join(packageDirectory, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Whether the Node that runs this can run the program. */
export const isNewEnough = Number(process.versions.node.split('.')[0]) >= oldestMajor

/** What is wrong where this Node is too old and no other is installed, and how to go on. */
export function explainMissingNode() {
  const problem = `Loci needs Node ${oldestMajor} or newer; this is ${process.version}`
  return existsSync(packageDirectory)
    ? `${problem}, and npm did not install the newer one, since install scripts are off (ignore-scripts): in the repository, run "npm rebuild node --ignore-scripts=false", then start again.`
    : `${problem}. In the repository, run "npm start" once.`
}
