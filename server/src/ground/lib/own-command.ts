import { basename, dirname } from 'node:path'
import { program as publishedProgram } from '@loci/contract/program'
import { isPublished } from './placement.ts'

/**
 * How to type `words` of our command line in this installation, for messages: `loci check` if it is in the PATH, `npx
 * @loci/loci check` from npm's cache, `npm exec loci -- check` in a clone.
 */
export function ownCommand(
  words: string,
  program: string = process.argv[1] ?? '',
  isFromPackage: boolean = isPublished,
): string {
  const isInPath = /^loci(\.cmd)?$/.test(basename(program)) && basename(dirname(program)) !== '.bin'
  if (isInPath) return `loci ${words}`
  return isFromPackage ? `npx ${publishedProgram.packageName} ${words}` : `npm exec loci -- ${words}`
}
