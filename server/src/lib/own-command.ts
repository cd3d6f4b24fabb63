import { basename, dirname } from 'node:path'

/**
 * How `words` of our command line are typed where this program is installed, to be named in messages:
 * `loci check`, or `npm exec loci -- check` where the program runs from the repository, which puts nothing in the PATH.
 */
export function ownCommand(words: string, program: string = process.argv[1] ?? ''): string {
  const isInPath = /^loci(\.cmd)?$/.test(basename(program)) && basename(dirname(program)) !== '.bin'
  return isInPath ? `loci ${words}` : `npm exec loci -- ${words}`
}
