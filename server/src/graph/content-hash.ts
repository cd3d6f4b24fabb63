import { crc32 } from 'node:zlib'

/** What `observations.content_hash` holds: equal contents have equal hashes; unequal ones may have, too. */
export const contentHashOf = (content: string) => crc32(content)
