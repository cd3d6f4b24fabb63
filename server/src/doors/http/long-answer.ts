import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { joinPieces } from '../../ground/lib/join-pieces.ts'

const pieceLength = 64 * 1024

/**
 * What a handler returns to send an object, with lists that may be long, in pieces, so that other work runs in between: a
 * stream of its JSON, of the type of what it stands for.
 */
export function inPieces<A extends object>(reply: FastifyReply, answer: A): A {
  reply.type('application/json; charset=utf-8')
  return Readable.from(joinPieces(piecesOf(answer), pieceLength), { objectMode: false }) as object as A
}

/** A longer list is sent item by item wherever it stands. */
const itemsAtOnceMax = 20
const isLong = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((field) => Array.isArray(field) && field.length > itemsAtOnceMax)

/** The JSON of a value: that of each item or field apart, of items without long lists as a whole. */
async function* piecesOf(value: unknown): AsyncGenerator<string, void> {
  if (Array.isArray(value)) {
    let mark = '['
    for (const item of value) {
      if (isLong(item)) {
        yield mark
        yield* piecesOf(item)
      } else yield mark + JSON.stringify(item)
      mark = ','
    }
    yield value.length === 0 ? '[]' : ']'
  } else if (typeof value === 'object' && value !== null) {
    let mark = '{'
    for (const [key, field] of Object.entries(value)) {
      if (field === undefined) continue
      yield `${mark}${JSON.stringify(key)}:`
      yield* piecesOf(field)
      mark = ','
    }
    yield mark === '{' ? '{}' : '}'
  } else yield JSON.stringify(value)
}
