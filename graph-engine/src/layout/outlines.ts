import type { Outlines, Regions } from '../protocol.ts'
import { smoothed, tracedLoops } from './contour.ts'

const smallNodesMax = 800
const reachSmall = 76
const reachLarge = 60
const cellsPerReach = 4
const cellsMax = 3_000_000
/** Minimum density of a point in a region, and minimum lead over any other region. */
const densityMin = 0.22
const leadMin = 0.04
/** Loops with an area below this times the reach squared are dropped. */
const areaMin = 2.6

/** The density of one region on the part of the grid that it covers. */
type Field = { column: number; row: number; columns: number; rows: number; density: Float32Array }

type Grid = { left: number; top: number; cell: number; columns: number; rows: number }

/** Outlines of the areas where each region is denser than the others. */
export function outlinesOf(positions: Float32Array, regions: Regions): Outlines {
  const nodeCount = regions.of.length
  const reach = nodeCount <= smallNodesMax ? reachSmall : reachLarge
  const grid = gridAround(positions, reach)
  const members = membersOf(regions)
  const fields = members.map((nodes) => fieldOf(nodes, positions, grid, reach))
  const { best, second, winner } = ranking(fields, grid)
  const points: number[] = []
  const start = [0]
  const region: number[] = []
  for (const [number, field] of fields.entries()) {
    const lead = leadOf(field, number, grid, best, second, winner)
    for (const loop of tracedLoops(lead, field.columns, field.rows)) {
      const line = loop.map((value, i) =>
        i % 2 === 0
          ? grid.left + (value + field.column) * grid.cell
          : grid.top + (value + field.row) * grid.cell,
      )
      if (Math.abs(areaOf(line)) < areaMin * reach * reach) continue
      for (const value of smoothed(smoothed(line))) points.push(value)
      start.push(points.length / 2)
      region.push(number)
    }
  }
  return {
    points: Float32Array.from(points),
    start: Uint32Array.from(start),
    region: Uint16Array.from(region),
  }
}

const corners = 32

/** Centres and radii. */
type Discs = Record<'x' | 'y' | 'reach', Float64Array>

/** Each region as a disc. */
export function discsOf({ x, y, reach }: Discs): Outlines {
  const points = new Float32Array(2 * corners * reach.length)
  for (const [row, radius] of reach.entries()) {
    for (let corner = 0; corner < corners; corner++) {
      const angle = (2 * Math.PI * corner) / corners
      points[2 * (row * corners + corner)] = x[row]! + radius * Math.cos(angle)
      points[2 * (row * corners + corner) + 1] = y[row]! + radius * Math.sin(angle)
    }
  }
  return {
    points,
    start: Uint32Array.from({ length: reach.length + 1 }, (_, row) => row * corners),
    region: Uint16Array.from(reach.keys()),
  }
}

function membersOf({ of, size }: Regions): number[][] {
  const members: number[][] = Array.from(size, () => [])
  for (let node = 0; node < of.length; node++) members[of[node]!]!.push(node)
  return members
}

function gridAround(positions: Float32Array, reach: number): Grid {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i += 2) {
    left = Math.min(left, positions[i]!)
    right = Math.max(right, positions[i]!)
    top = Math.min(top, positions[i + 1]!)
    bottom = Math.max(bottom, positions[i + 1]!)
  }
  const margin = 1.5 * reach
  const [width, height] = [right - left + 2 * margin, bottom - top + 2 * margin]
  const cell = Math.max(reach / cellsPerReach, Math.sqrt((width * height) / cellsMax))
  return {
    left: left - margin,
    top: top - margin,
    cell,
    columns: Math.ceil(width / cell) + 1,
    rows: Math.ceil(height / cell) + 1,
  }
}

function fieldOf(nodes: readonly number[], positions: Float32Array, grid: Grid, reach: number): Field {
  const { left, top, cell } = grid
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const node of nodes) {
    minX = Math.min(minX, positions[2 * node]!)
    maxX = Math.max(maxX, positions[2 * node]!)
    minY = Math.min(minY, positions[2 * node + 1]!)
    maxY = Math.max(maxY, positions[2 * node + 1]!)
  }
  // One extra empty cell on each side, so that loops close.
  const column = Math.max(0, Math.floor((minX - reach - left) / cell) - 1)
  const row = Math.max(0, Math.floor((minY - reach - top) / cell) - 1)
  const columns = Math.min(grid.columns - column, Math.ceil((maxX + reach - left) / cell) + 2 - column)
  const rows = Math.min(grid.rows - row, Math.ceil((maxY + reach - top) / cell) + 2 - row)
  const density = new Float32Array(columns * rows)
  const field = { column, row, columns, rows, density }
  for (const node of nodes) {
    addTo(
      field,
      (positions[2 * node]! - left) / cell - column,
      (positions[2 * node + 1]! - top) / cell - row,
      reach / cell,
    )
  }
  return field
}

/** Adds (1 - d^2 / r^2)^2 around a point. */
function addTo({ columns, rows, density }: Field, x: number, y: number, reach: number): void {
  const firstRow = Math.max(0, Math.ceil(y - reach))
  const lastRow = Math.min(rows - 1, Math.floor(y + reach))
  const firstColumn = Math.max(0, Math.ceil(x - reach))
  const lastColumn = Math.min(columns - 1, Math.floor(x + reach))
  const scale = 1 / (reach * reach)
  for (let row = firstRow; row <= lastRow; row++) {
    const dy = (row - y) * (row - y)
    for (let column = firstColumn; column <= lastColumn; column++) {
      const rest = 1 - (dy + (column - x) * (column - x)) * scale
      if (rest > 0) density[row * columns + column]! += rest * rest
    }
  }
}

/** For each cell: the highest density, the second highest, and the region of the highest. */
function ranking(fields: readonly Field[], { columns, rows }: Grid) {
  const best = new Float32Array(columns * rows)
  const second = new Float32Array(columns * rows)
  const winner = new Uint16Array(columns * rows)
  for (const [number, field] of fields.entries()) {
    for (let i = 0; i < field.density.length; i++) {
      const density = field.density[i]!
      if (density === 0) continue
      const cell = cellOf(field, i, columns)
      if (density > best[cell]!) {
        second[cell] = best[cell]!
        best[cell] = density
        winner[cell] = number
      } else if (density > second[cell]!) second[cell] = density
    }
  }
  return { best, second, winner }
}

/** Above 0 where the cell belongs to the region. */
function leadOf(
  field: Field,
  number: number,
  grid: Grid,
  best: Float32Array,
  second: Float32Array,
  winner: Uint16Array,
): Float32Array {
  return field.density.map((density, i) => {
    const cell = cellOf(field, i, grid.columns)
    const other = winner[cell] === number && best[cell]! > 0 ? second[cell]! : best[cell]!
    return Math.min(density - densityMin, density - other - leadMin)
  })
}

function cellOf(field: Field, i: number, columns: number): number {
  return (field.row + Math.floor(i / field.columns)) * columns + field.column + (i % field.columns)
}

function areaOf(line: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < line.length; i += 2) {
    const next = (i + 2) % line.length
    sum += line[i]! * line[next + 1]! - line[next]! * line[i + 1]!
  }
  return sum / 2
}
