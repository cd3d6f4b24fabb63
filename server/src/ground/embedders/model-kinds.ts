/** What is known about a model by its name. */
type ModelKind = {
  name: RegExp
  /** True for models that find nearly as much as words do, or more. */
  isStrong: boolean
  /** The prefixes that the model was trained with. */
  queryPrefix?: string
  passagePrefix?: string
  /** A smaller number of dimensions, with hardly any loss. */
  dimensions?: number
}

const bgeQuery = 'Represent this sentence for searching relevant passages: '

/** The first match is used. */
const kinds: ModelKind[] = [
  { name: /text-embedding-3-(small|large)/, isStrong: true, dimensions: 512 },
  { name: /multilingual-e5-large-instruct/, isStrong: true },
  { name: /\be5-(small|base)/, isStrong: false, queryPrefix: 'query: ', passagePrefix: 'passage: ' },
  { name: /\be5-large/, isStrong: true, queryPrefix: 'query: ', passagePrefix: 'passage: ' },
  { name: /bge-(small|base)-en/, isStrong: false, queryPrefix: bgeQuery },
  { name: /bge-large-en|mxbai-embed-large/, isStrong: true, queryPrefix: bgeQuery },
  {
    name: /nomic-embed-text/,
    isStrong: false,
    queryPrefix: 'search_query: ',
    passagePrefix: 'search_document: ',
  },
  {
    name: /bge-m3|arctic-embed2|arctic-embed-l|qwen3-embedding|gemini-embedding|nv-embed|e5-mistral|gte-qwen|voyage-|jina-embeddings-v[3-9]|embed-v[4-9]|text-embedding-ada/,
    isStrong: true,
  },
]

/** Suits a small encoder. */
const weightOfSmall = 0.6
const weightOfStrong = 1.2

/** Returns what is known about a model from its name, such as `BAAI/bge-m3` or `nomic-embed-text:latest`. */
export function readModelKind(model: string) {
  const known = kinds.find(({ name }) => name.test(model.toLowerCase()))
  return {
    /** Weight of similarity of meaning in a search, unless configured. */
    weight: known?.isStrong ? weightOfStrong : weightOfSmall,
    queryPrefix: known?.queryPrefix ?? '',
    passagePrefix: known?.passagePrefix ?? '',
    dimensions: known?.dimensions,
  }
}
