import type { Scene } from './scene.ts'

/** Level of detail, from the scale and the number of nodes. */
export type Level = 'far' | 'middle' | 'near'

const farScale = 0.42
const alwaysFarScale = 0.25
const crowdedNodesMin = 700
export const nearScale = 1.1

export function levelFor(scale: number, nodeCount: number): Level {
  if (scale >= nearScale) return 'near'
  if (scale < farScale && (nodeCount > crowdedNodesMin || scale < alwaysFarScale)) return 'far'
  return 'middle'
}

/** Without regions there is nothing to stand for many nodes. */
export function levelOf(scene: Scene): Level {
  const level = levelFor(scene.view.k, scene.data.nodeCount)
  return level === 'far' && !scene.regions ? 'middle' : level
}

const nameLength = 15
const nameLengthNear = 28
const nameLengthClose = 60
const closeScale = 1.5

/** Number of characters after which names are cut. */
export function nameLengthFor(scale: number, level: Level): number {
  if (level !== 'near') return nameLength
  return scale >= closeScale ? nameLengthClose : nameLengthNear
}
