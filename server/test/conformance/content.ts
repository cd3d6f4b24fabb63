import type { ImageContent } from '@modelcontextprotocol/server'

/** One red pixel as a PNG. */
export const pngBase64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A WAV file with one sample. */
export const wavBase64 = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

export const text = (value: string) => ({ type: 'text' as const, text: value })
export const textResult = (value: string) => ({ content: [text(value)] })
export const pixel: ImageContent = { type: 'image', data: pngBase64, mimeType: 'image/png' }
