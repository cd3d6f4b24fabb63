import type { TypeStyle } from '../model/palette.ts'
import { type Painter, paintNode } from './paint.ts'
import type { Scene } from './scene.ts'

const radiusMax = 10
const stepsPerPixel = 2
const cell = 2 * radiusMax + 6

/**
 * Pre-rendered discs of every style: copying one costs a tenth of filling its arc, which matters with
 * ten thousand nodes.
 */
export class DiscSprites {
  #sheet: OffscreenCanvas | undefined
  #key = ''
  #pixelRatio = 1
  /** The row of each type: types of one style share a row. */
  #rows: number[] = []

  /** Redraws the sheet if styles, theme or pixel ratio have changed. */
  prepare({ palette, pixelRatio, theme }: Scene): void {
    const styles = [...new Map(palette.map((style) => [keyOf(style), style])).values()]
    const key = `${pixelRatio} ${theme.background} ${palette.map(keyOf).join()}`
    if (key === this.#key) return
    this.#key = key
    this.#pixelRatio = pixelRatio
    this.#rows = palette.map((style) => styles.findIndex((other) => keyOf(other) === keyOf(style)))
    const columns = radiusMax * stepsPerPixel + 1
    this.#sheet = new OffscreenCanvas(
      Math.ceil(columns * cell * pixelRatio),
      Math.max(1, Math.ceil(styles.length * cell * pixelRatio)),
    )
    const painter = this.#sheet.getContext('2d')
    painter?.scale(pixelRatio, pixelRatio)
    for (const [row, style] of styles.entries()) {
      for (let column = 1; painter && column < columns; column++) {
        paintNode(painter, (column + 0.5) * cell, (row + 0.5) * cell, column / stepsPerPixel, style, theme)
      }
    }
  }

  /** Whether there is a sprite of this radius. */
  has(radius: number): boolean {
    return radius <= radiusMax
  }

  paint(painter: Painter, x: number, y: number, radius: number, type: number): void {
    if (!this.#sheet) return
    const column = Math.max(1, Math.round(radius * stepsPerPixel))
    const size = cell * this.#pixelRatio
    const half = cell / 2
    painter.drawImage(
      this.#sheet,
      column * size,
      this.#rows[type]! * size,
      size,
      size,
      x - half,
      y - half,
      cell,
      cell,
    )
  }
}

function keyOf({ color, hollow }: TypeStyle): string {
  return hollow ? `${color} ring` : color
}
