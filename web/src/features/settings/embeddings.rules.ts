import type {
  ChooseEmbeddings,
  EmbeddingsChoice,
  EmbeddingsProvider,
  LocalModelId,
} from '@loci/contract/embeddings'

type Values = { url: string; model: string; key: string }

export const providers: { value: EmbeddingsProvider; label: string }[] = [
  { value: 'local', label: 'On the server' },
  { value: 'ollama', label: 'Ollama' },
  { value: 'openai', label: 'OpenAI API' },
]

export const localModels: { id: LocalModelId; label: string; description: string }[] = [
  { id: 'bge-small-en-v1.5', label: 'English', description: 'bge-small-en-v1.5, 35 MB' },
  { id: 'multilingual-e5-small', label: '100 languages', description: 'multilingual-e5-small, 135 MB' },
  { id: 'use-lite-en', label: 'English, from npm', description: 'use-lite-en, 32 MB, needs no model hub' },
]

const defaults: Record<EmbeddingsProvider, Values> = {
  local: { url: '', model: 'bge-small-en-v1.5', key: '' },
  ollama: { url: 'http://127.0.0.1:11434', model: 'nomic-embed-text', key: '' },
  openai: { url: 'https://api.openai.com/v1', model: 'text-embedding-3-small', key: '' },
}

/** The form's initial values: the current choice, otherwise the most common one. */
export function initialValues(chosen: EmbeddingsChoice['chosen']): Record<EmbeddingsProvider, Values> {
  if (chosen === null) return defaults
  const { provider, model, url } = chosen
  return { ...defaults, [provider]: { model, url: url ?? '', key: '' } }
}

/** A blank key keeps the stored one. */
export function toInput(provider: EmbeddingsProvider, { url, model, key }: Values): ChooseEmbeddings {
  if (provider === 'local') return { provider, model: model as LocalModelId }
  return { provider, url: url.trim(), model, ...(key.trim() === '' ? {} : { key: key.trim() }) }
}
