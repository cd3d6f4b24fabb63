import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createSecretBox } from '../lib/secrets.ts'
import { configOfChoice } from './config-of-choice.ts'
import { type Choice, deleteChoice, readChoice, stampOfChoice, writeChoice } from './embedder-choice.ts'
import { localSourceOf } from './local-source.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'loci-choice-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const now = 'n'.repeat(32)
const before = 'b'.repeat(32)
const boxOf = (secret: string, former?: string) => createSecretBox(secret, 'embeddings', former)
const box = boxOf(now)
const fileOf = () => join(dataDir, 'embeddings', 'settings.json')
const openai: Choice = {
  provider: 'openai',
  model: 'text-embedding-3-small',
  url: 'https://x/v1',
  key: 'sk-secret',
}

describe('the chosen embedder', () => {
  test('is kept with its key sealed, for the owner of the data only', async () => {
    await writeChoice({ dataDir }, box, openai)
    expect(await readChoice({ dataDir }, box)).toEqual(openai)
    expect(readFileSync(fileOf(), 'utf8')).not.toContain('sk-secret')
    expect(statSync(join(dataDir, 'embeddings')).mode & 0o077).toBe(0)
  })

  test('is none before there is one, and once it is deleted, which can be repeated', async () => {
    expect([await readChoice({ dataDir }, box), await stampOfChoice({ dataDir })]).toEqual([
      undefined,
      undefined,
    ])
    await writeChoice({ dataDir }, box, { provider: 'local', model: 'multilingual-e5-small' })
    expect(await readChoice({ dataDir }, box)).toMatchObject({ provider: 'local', key: undefined })
    await deleteChoice({ dataDir })
    await deleteChoice({ dataDir })
    expect(await readChoice({ dataDir }, box)).toBeUndefined()
  })

  test('has another stamp after each change', async () => {
    await writeChoice({ dataDir }, box, openai)
    const first = await stampOfChoice({ dataDir })
    await writeChoice({ dataDir }, box, { ...openai, model: 'text-embedding-3-large' })
    expect(await stampOfChoice({ dataDir })).not.toBe(first)
  })

  test('that was sealed with another secret loses its key, and with the previous one is sealed again', async () => {
    await writeChoice({ dataDir }, boxOf(before), openai)
    expect(await readChoice({ dataDir }, box)).toEqual({ ...openai, key: undefined })
    const both = boxOf(now, before)
    expect(await readChoice({ dataDir }, both)).toEqual(openai)
    expect(await readChoice({ dataDir }, box), 'the new secret suffices').toEqual(openai)
  })

  test.each(['', '{', 'null', '[]', '{"provider":"none","model":"x"}', '{"provider":"openai"}', '\u0000'])(
    'is none when its file holds %j',
    async (content) => {
      await writeChoice({ dataDir }, box, openai)
      writeFileSync(fileOf(), content)
      expect(await readChoice({ dataDir }, box)).toBeUndefined()
    },
  )
})

describe('the configuration of a choice', () => {
  const configFor = (choice: Choice) => {
    const config = readConfig({ LOCI_DATA_DIR: dataDir })
    return configOfChoice(config, choice, localSourceOf(config))
  }

  test('of a server has its address, its model and its key', () => {
    const { url, model, key } = openai
    expect(configFor(openai)?.source).toEqual({ url, model, key, provider: 'openai' })
    expect(configFor({ ...openai, url: undefined })).toBeUndefined()
  })

  test('of Ollama leaves the dimensions to the model', () => {
    expect(
      configFor({ provider: 'ollama', model: 'text-embedding-3-large', url: 'http://x' })?.dimensions,
    ).toBe(undefined)
  })

  test('of a local model is where it is installed, and none for a model of another version', () => {
    const config = configFor({ provider: 'local', model: 'multilingual-e5-small' })
    expect(config?.source).toMatchObject({
      installed: { files: join(dataDir, 'embeddings', 'models', 'multilingual-e5-small') },
    })
    expect(config).toMatchObject({ queryPrefix: 'query: ', passagePrefix: 'passage: ' })
    expect(configFor({ provider: 'local', model: 'gone' })).toBeUndefined()
  })
})
