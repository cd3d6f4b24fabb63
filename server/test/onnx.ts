/**
 * Writes ONNX models (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), as far as tests and benchmarks
 * need them: nodes, weights, inputs and outputs.
 */
type Attribute = { int: number } | { float: number } | { ints: readonly number[] }
type Numbers = Float32Array | BigInt64Array | Int8Array

/** ONNX's numbers for element types. */
export const elementType = { float: 1, int8: 3, int64: 7 } as const
type ElementType = (typeof elementType)[keyof typeof elementType]

/** A whole model from its parts, in execution order. */
export function onnxModel(parts: readonly Buffer[]): Buffer {
  const irVersion = number(1, 8)
  const operators = bytes(8, number(2, 17))
  return Buffer.concat([irVersion, operators, bytes(7, Buffer.concat([...parts, bytes(2, 'graph')]))])
}

export function onnxNode(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Record<string, Attribute> = {},
): Buffer {
  const names = [...inputs.map((name) => bytes(1, name)), ...outputs.map((name) => bytes(2, name))]
  const settings = Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value)))
  return bytes(1, Buffer.concat([...names, bytes(4, operator), ...settings]))
}

export function onnxWeights(name: string, type: ElementType, dims: readonly number[], data: Numbers): Buffer {
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return bytes(
    5,
    Buffer.concat([...dims.map((dim) => number(1, dim)), number(2, type), bytes(8, name), bytes(9, raw)]),
  )
}

/** A name in place of a dimension stands for any number. */
export const onnxInput = (name: string, type: ElementType, dims: readonly (number | string)[]) =>
  bytes(11, described(name, type, dims))
export const onnxOutput = (name: string, type: ElementType, dims: readonly (number | string)[]) =>
  bytes(12, described(name, type, dims))

function described(name: string, type: ElementType, dims: readonly (number | string)[]): Buffer {
  const shape = dims.map((dim) => bytes(1, typeof dim === 'string' ? bytes(2, dim) : number(1, dim)))
  const tensor = Buffer.concat([number(1, type), bytes(2, Buffer.concat(shape))])
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, tensor))])
}

function attribute(name: string, value: Attribute): Buffer {
  if ('int' in value) return Buffer.concat([bytes(1, name), number(3, value.int), number(20, 2)])
  if ('ints' in value) {
    return Buffer.concat([bytes(1, name), ...value.ints.map((one) => number(8, one)), number(20, 7)])
  }
  const float = Buffer.alloc(4)
  float.writeFloatLE(value.float)
  return Buffer.concat([bytes(1, name), key(2, 5), float, number(20, 1)])
}

const key = (field: number, wire: number) => varint((field << 3) | wire)
const number = (field: number, value: number) => Buffer.concat([key(field, 0), varint(value)])

function bytes(field: number, content: Buffer | string): Buffer {
  const data = Buffer.from(content as string)
  return Buffer.concat([key(field, 2), varint(data.length), data])
}

/** Seven bits per byte, lowest first; negative numbers as 64 bits. */
function varint(value: number): Buffer {
  const digits: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    const digit = Number(rest & 127n)
    rest >>= 7n
    digits.push(rest === 0n ? digit : digit | 128)
  } while (rest > 0n)
  return Buffer.from(digits)
}
