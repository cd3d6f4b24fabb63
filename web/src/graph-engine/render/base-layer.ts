import type { Scene } from './scene.ts'

/** The lower of the two canvases: all edges and nodes, without names and emphasis. */
export type BaseLayer = {
  readonly name: '2d' | 'gl'
  resize(scene: Scene): void
  /** The data, colours or what is visible have changed. */
  dataChanged(scene: Scene): void
  positionsChanged(scene: Scene): void
  /** Draws at once, with less detail if all of it takes too long. */
  draw(scene: Scene): void
  /** Goes on with the full picture after `draw`; true when it is there. */
  refine(scene: Scene): boolean
}
