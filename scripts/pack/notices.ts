import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { LockedPackage } from './locked-packages.ts'
import { root } from './sources.ts'

/** Of files in the repository that were made from works of others. */
const licencesOfFiles = [
  'server/src/search/meaning/english-words.licence.txt',
  'server/src/search/meaning/word-vectors.licence.txt',
]

/** The licences of packages, each text once, as these licences require, and of files that come with the program. */
export async function noticesOf(packages: readonly LockedPackage[]): Promise<string> {
  const namesByText = new Map<string, string[]>()
  for (const { path, name, version, license } of packages) {
    const text = (await readLicence(join(root, path))) ?? `Licence: ${license}\n`
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version}`])
  }
  for (const path of licencesOfFiles)
    namesByText.set(await readFile(join(root, path), 'utf8'), [basename(path)])
  const notices = [...namesByText].map(([text, names]) => `${names.join('\n')}\n\n${text.trim()}\n`)
  return `This package contains the following software.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`
}

async function readLicence(folder: string): Promise<string | undefined> {
  const files = await readdir(folder)
  const name = files.find((file) => /^licen[cs]e/i.test(file)) ?? files.find((file) => /^copying/i.test(file))
  return name === undefined ? undefined : readFile(join(folder, name), 'utf8')
}
