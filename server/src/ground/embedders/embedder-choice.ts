import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EmbeddingsProvider } from '@loci/contract/embeddings'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { parseJson } from '../lib/json.ts'
import type { SecretBox } from '../lib/secrets.ts'
import { writeWhole } from '../lib/write-whole.ts'

/** The embedder chosen by command or in the settings. */
export type Choice = {
  provider: EmbeddingsProvider
  model: string
  /** Of a server; undefined for a local model. */
  url?: string | undefined
  key?: string | undefined
}

const Stored = z.object({
  provider: EmbeddingsProvider,
  model: z.string(),
  url: z.string().optional(),
  sealedKey: z.string().optional(),
})

/** Directory of everything that belongs to the choice: the choice itself, models and runtimes. */
export const embeddingsDirectory = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'embeddings')

const fileOf = (config: Pick<Config, 'dataDir'>) => join(embeddingsDirectory(config), 'settings.json')

/** Changes whenever the choice does; undefined while there is none. */
export async function stampOfChoice(config: Pick<Config, 'dataDir'>): Promise<string | undefined> {
  const found = await stat(fileOf(config), { bigint: true }).catch(() => undefined)
  return found === undefined ? undefined : `${found.mtimeNs}-${found.ino}-${found.size}`
}

/**
 * Undefined if nothing is chosen, or the file cannot be read. A key sealed with another secret is left out; one
 * sealed with the previous secret is resealed.
 */
export async function readChoice(
  config: Pick<Config, 'dataDir'>,
  secretBox: SecretBox,
): Promise<Choice | undefined> {
  const text = await readFile(fileOf(config), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const stored = Stored.safeParse(parseJson(text)).data
  if (stored === undefined) return undefined
  const { provider, model, url, sealedKey } = stored
  const key = sealedKey === undefined ? undefined : secretBox.open(sealedKey)
  const choice = { provider, model, url, key }
  if (sealedKey !== undefined && secretBox.reseal(sealedKey) !== undefined) {
    await writeChoice(config, secretBox, choice)
  }
  return choice
}

export async function writeChoice(
  config: Pick<Config, 'dataDir'>,
  secretBox: SecretBox,
  { provider, model, url, key }: Choice,
): Promise<void> {
  const file = fileOf(config)
  const sealedKey = key === undefined ? undefined : secretBox.seal(key)
  const stored: z.infer<typeof Stored> = { provider, model, url, sealedKey }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeWhole(file, (part) => writeFile(part, `${JSON.stringify(stored, null, 2)}\n`))
}

export async function deleteChoice(config: Pick<Config, 'dataDir'>): Promise<void> {
  await rm(fileOf(config), { force: true })
}
