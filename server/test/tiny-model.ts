import {
  graphPath,
  type LocalModel,
  tokenizerConfigPath,
  tokenizerPath,
} from '../src/ground/embedders/local-models.ts'
import { tinyModel, tinyTable, tinyWords } from './hub-double.ts'
import { elementType, onnxInput, onnxModel, onnxNode, onnxOutput, onnxWeights } from './onnx.ts'

/** A real graph of one node, which looks up each word in a table. */
function tinyGraph(): Buffer {
  const dims = [tinyTable.length, tinyTable[0]!.length]
  const table = Float32Array.from(tinyTable.flat())
  return onnxModel([
    onnxNode('Gather', ['table', 'input_ids'], ['last_hidden_state']),
    onnxWeights('table', elementType.float, dims, table),
    onnxInput('input_ids', elementType.int64, ['texts', 'tokens']),
    onnxInput('attention_mask', elementType.int64, ['texts', 'tokens']),
    onnxOutput('last_hidden_state', elementType.float, ['texts', 'tokens', dims[1]!]),
  ])
}

/** A tokenizer like those of small English models, for a few words. */
const tokenizer = {
  version: '1.0',
  added_tokens: [],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(tinyWords.map((word, id) => [word, id])),
  },
}

/** A model that real runtimes can run, and its files by path. */
export function tinyRealModel(): { model: LocalModel; files: Record<string, Buffer> } {
  const files = {
    [graphPath]: tinyGraph(),
    [tokenizerPath]: Buffer.from(JSON.stringify(tokenizer)),
    [tokenizerConfigPath]: Buffer.from(JSON.stringify({ tokenizer_class: 'BertTokenizer' })),
  }
  return { model: tinyModel(files, tinyTable[0]!.length), files }
}
