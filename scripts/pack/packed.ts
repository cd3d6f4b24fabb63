export type Packed = { file: string; bytes: number; unpackedBytes: number; files: number }
