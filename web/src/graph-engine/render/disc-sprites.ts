import type { Painter } from './paint.ts'

const radiusMax = 3.2
const radiusStep = 0.2
const cell = 2 * radiusMax + 2

/**
 * Ready-made small discs of every colour: copying one costs a tenth of filling an arc, which counts when
 * there are ten thousand.
 */
export class DiscSprites {
  #sheet: OffscreenCanvas | undefined
  #key = ''
  #pixelRatio = 1

  /** Draws the sheet anew if colours or pixel ratio have changed. */
  prepare(palette: readonly string[], pixelRatio: number): void {
    const key = `${pixelRatio} ${palette.join()}`
    if (key === this.#key) return
    this.#key = key
    this.#pixelRatio = pixelRatio
    const columns = Math.ceil(radiusMax / radiusStep) + 1
    const sheet = new OffscreenCanvas(
      Math.ceil(columns * cell * pixelRatio),
      Math.max(1, Math.ceil(palette.length * cell * pixelRatio)),
    )
    const painter = sheet.getContext('2d')
    painter?.scale(pixelRatio, pixelRatio)
    for (const [row, color] of palette.entries()) {
      for (let column = 0; painter && column < columns; column++) {
        painter.fillStyle = color
        painter.beginPath()
        painter.arc((column + 0.5) * cell, (row + 0.5) * cell, column * radiusStep, 0, 2 * Math.PI)
        painter.fill()
      }
    }
    this.#sheet = sheet
  }

  /** `radius` at most 3. */
  paint(painter: Painter, x: number, y: number, radius: number, color: number): void {
    if (!this.#sheet) return
    const column = Math.round(radius / radiusStep)
    const size = cell * this.#pixelRatio
    painter.drawImage(
      this.#sheet,
      column * size,
      color * size,
      size,
      size,
      x - cell / 2,
      y - cell / 2,
      cell,
      cell,
    )
  }
}
