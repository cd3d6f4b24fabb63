import { crc32 } from 'node:zlib'

/**
 * The value of `observations.content_hash`: equal contents have equal hashes, and unequal ones can
 * collide.
 */
export const contentHashOf = (content: string) => crc32(content)
