import {
  graphPath,
  tokenizerConfigPath,
  tokenizerPath,
} from '../../server/src/ground/embedders/local-models.ts'
import {
  elementType,
  onnxInput,
  onnxModel,
  onnxNode,
  onnxOutput,
  onnxWeights,
} from '../../server/test/onnx.ts'

const size = { hidden: 384, layers: 12, heads: 12, inner: 1_536, words: 30_522 }
const shape = ['texts', 'tokens'] as const

/** A model in the shape of bge-small-en-v1.5 with random weights, and a tokenizer that knows a few letters. */
export function bertFiles(): Record<string, Buffer> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
  const vocabulary = ['[UNK]', '[CLS]', '[SEP]', ...letters, ...letters.map((letter) => `##${letter}`)]
  const tokenizer = {
    added_tokens: [],
    normalizer: { type: 'BertNormalizer', lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  }
  return {
    [graphPath]: randomBert(),
    [tokenizerPath]: Buffer.from(JSON.stringify(tokenizer)),
    [tokenizerConfigPath]: Buffer.from('{}'),
  }
}

function randomBert(): Buffer {
  const { hidden, layers, heads, inner, words } = size
  const parts: Buffer[] = []
  let count = 0
  const named = () => `v${count++}`
  const node = (operator: string, inputs: string[], attributes = {}, outputs = 1): string[] => {
    const names = Array.from({ length: outputs }, named)
    parts.push(onnxNode(operator, inputs, names, attributes))
    return names
  }
  const one = (operator: string, inputs: string[], attributes = {}) => node(operator, inputs, attributes)[0]!
  const floats = (dims: number[], make: () => number = () => (Math.random() - 0.5) * 0.05) => {
    const name = named()
    const length = dims.reduce((product, dim) => product * dim, 1)
    parts.push(onnxWeights(name, elementType.float, dims, Float32Array.from({ length }, make)))
    return name
  }
  const bytes = (dims: number[], make: () => number) => {
    const name = named()
    const length = dims.reduce((product, dim) => product * dim, 1)
    parts.push(onnxWeights(name, elementType.int8, dims, Int8Array.from({ length }, make)))
    return name
  }
  const longs = (values: number[]) => {
    const name = named()
    parts.push(onnxWeights(name, elementType.int64, [values.length], BigInt64Array.from(values, BigInt)))
    return name
  }
  const quantized = (input: string) => node('DynamicQuantizeLinear', [input], {}, 3)
  const linear = ([input, scale, zero]: string[], from: number, to: number) => {
    const weights = bytes([from, to], () => Math.floor(Math.random() * 256) - 128)
    const product = one('MatMulInteger', [input!, weights, zero!, bytes([], () => 0)])
    const scales = one('Mul', [scale!, floats([], () => 0.001)])
    const scaled = one('Mul', [one('Cast', [product], { to: { int: elementType.float } }), scales])
    return one('Add', [scaled, floats([to])])
  }
  const normal = (input: string) =>
    one('LayerNormalization', [input, floats([hidden], () => 1), floats([hidden])], { axis: { int: -1 } })
  const turned = (input: string, ...ints: number[]) => one('Transpose', [input], { perm: { ints } })
  const inHeads = longs([0, 0, heads, hidden / heads])
  const flat = longs([0, 0, hidden])
  const [half, whole, root, scale] = [0.5, 1, Math.SQRT1_2, 1 / Math.sqrt(hidden / heads)].map((value) =>
    floats([], () => value),
  )
  let state = normal(
    one('Add', [
      one('Gather', [floats([words, hidden]), 'input_ids']),
      one('Gather', [floats([2, hidden]), 'token_type_ids']),
    ]),
  )
  for (let layer = 0; layer < layers; layer++) {
    const input = quantized(state)
    const [asks, keys, values] = [0, 1, 2].map(() => one('Reshape', [linear(input, hidden, hidden), inHeads]))
    const scores = one('MatMul', [turned(asks!, 0, 2, 1, 3), turned(keys!, 0, 2, 3, 1)])
    const shares = one('Softmax', [one('Mul', [scores, scale!])], { axis: { int: -1 } })
    const seen = turned(one('MatMul', [shares, turned(values!, 0, 2, 1, 3)]), 0, 2, 1, 3)
    const attended = linear(quantized(one('Reshape', [seen, flat])), hidden, hidden)
    state = normal(one('Add', [state, attended]))
    const wide = linear(quantized(state), hidden, inner)
    const bend = one('Add', [one('Erf', [one('Mul', [wide, root!])]), whole!])
    const gelu = one('Mul', [one('Mul', [wide, half!]), bend])
    state = normal(one('Add', [state, linear(quantized(gelu), inner, hidden)]))
  }
  parts.push(onnxNode('Identity', [state], ['last_hidden_state']))
  for (const name of ['input_ids', 'attention_mask', 'token_type_ids']) {
    parts.push(onnxInput(name, elementType.int64, shape))
  }
  parts.push(onnxOutput('last_hidden_state', elementType.float, [...shape, hidden]))
  return onnxModel(parts)
}
