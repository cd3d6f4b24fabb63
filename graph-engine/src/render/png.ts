import type { RenderRequest } from '../protocol.ts'
import { Base2d } from './base-2d.ts'
import { Overlay } from './overlay.ts'
import { hasPicture, type Scene } from './scene.ts'

/** Draws the scene again, in full detail, into a separate picture. */
export async function paintPng(
  scene: Scene,
  request: Extract<RenderRequest, { kind: 'png' }>,
): Promise<Blob> {
  const { width, height, view } = request
  const copy: Scene = { ...scene, width, height, view, pixelRatio: request.scale }
  const canvas = new OffscreenCanvas(1, 1)
  const upper = new OffscreenCanvas(1, 1)
  const base = new Base2d(canvas)
  const overlay = new Overlay(upper)
  overlay.texts.show()
  base.resize(copy)
  overlay.resize(copy)
  if (hasPicture(copy)) {
    base.drawFully(copy)
    overlay.draw({ ...copy, arrivals: new Map(), emphasis: { ...copy.emphasis, hovered: -1 } }, true)
  }
  const painter = canvas.getContext('2d')
  painter?.setTransform(1, 0, 0, 1, 0, 0)
  painter?.drawImage(upper, 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}
