import { parseHex } from '../model/colors.ts'
import { bendOf } from '../model/geometry.ts'
import type { BaseLayer } from './base-layer.ts'
import { GlProgram } from './gl-program.ts'
import {
  arrowFragment,
  arrowVertex,
  edgeFragment,
  edgeVertex,
  nodeFragment,
  nodeTextureWidth,
  nodeVertex,
} from './gl-shaders.ts'
import { arrowLength, detailScale, edgeOpacity, edgeWidth, isShown, type Scene } from './scene.ts'

const curveSegments = 16
const bytesPerEdge = 12

/**
 * Whether WebGL draws on hardware. `failIfMajorPerformanceCaveat` does not tell: software rendering passes
 * it, so the renderer's name has to.
 */
export function hasGraphicsHardware(): boolean {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2')
  const names = gl?.getExtension('WEBGL_debug_renderer_info')
  const renderer = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : 'software'
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return !/swiftshader|llvmpipe|software|basic render/i.test(renderer)
}

type Resources = {
  edges: GlProgram
  arrows: GlProgram
  nodes: GlProgram
  nodeTexture: WebGLTexture
  straightArray: WebGLVertexArrayObject
  curvedArray: WebGLVertexArrayObject
  nodeArray: WebGLVertexArrayObject
  edgeBuffer: WebGLBuffer
  colorBuffer: WebGLBuffer
}

/** Nodes live in a texture and edges in one buffer of pairs, so moving 100,000 nodes is one upload. */
export class BaseGl implements BaseLayer {
  readonly name = 'gl'
  readonly #canvas: OffscreenCanvas
  readonly #gl: WebGL2RenderingContext
  #resources: Resources
  #straightCount = 0
  #curvedCount = 0
  #texels = new Float32Array(0)
  #scene: Scene | undefined

  constructor(canvas: OffscreenCanvas) {
    this.#canvas = canvas
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: false })
    if (!gl) throw new Error('WebGL2 is not available')
    this.#gl = gl
    this.#resources = createResources(gl)
    canvas.addEventListener('contextlost', (event) => event.preventDefault())
    canvas.addEventListener('contextrestored', () => this.#restore())
    // OffscreenCanvas fires the names of the canvas element's events, too, in some browsers.
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault())
    canvas.addEventListener('webglcontextrestored', () => this.#restore())
  }

  resize(scene: Scene): void {
    this.#canvas.width = Math.max(1, Math.round(scene.width * scene.pixelRatio))
    this.#canvas.height = Math.max(1, Math.round(scene.height * scene.pixelRatio))
  }

  dataChanged(scene: Scene): void {
    this.#scene = scene
    this.#uploadEdges(scene)
    this.#uploadColors(scene)
    this.positionsChanged(scene)
  }

  positionsChanged(scene: Scene): void {
    const gl = this.#gl
    const { nodeCount, radius } = scene.data
    const rows = Math.max(1, Math.ceil(nodeCount / nodeTextureWidth))
    const length = 4 * nodeTextureWidth * rows
    if (this.#texels.length !== length) this.#texels = new Float32Array(length)
    const texels = this.#texels
    const { positions } = scene
    if (positions.length < 2 * nodeCount) return
    for (let i = 0; i < nodeCount; i++) {
      texels[4 * i] = positions[2 * i]!
      texels[4 * i + 1] = positions[2 * i + 1]!
      texels[4 * i + 2] = radius[i]!
      texels[4 * i + 3] = isShown(scene, i) ? 1 : 0
    }
    gl.bindTexture(gl.TEXTURE_2D, this.#resources.nodeTexture)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, nodeTextureWidth, rows, 0, gl.RGBA, gl.FLOAT, texels)
  }

  draw(scene: Scene): void {
    const gl = this.#gl
    const { view, theme, pixelRatio } = scene
    const background = unitColor(theme.background)
    gl.viewport(0, 0, this.#canvas.width, this.#canvas.height)
    gl.clearColor(...background, 1)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    gl.bindTexture(gl.TEXTURE_2D, this.#resources.nodeTexture)
    const common = {
      view: [view.k, view.x, view.y],
      size: [scene.width, scene.height],
      pixelRatio: [pixelRatio],
    }
    this.#drawEdges(scene, common)
    this.#resources.nodes.use({ ...common, color: [...background, 1] })
    gl.bindVertexArray(this.#resources.nodeArray)
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, scene.data.nodeCount)
    gl.bindVertexArray(null)
  }

  refine(): boolean {
    return true
  }

  #drawEdges(scene: Scene, common: Readonly<Record<string, readonly number[]>>): void {
    const gl = this.#gl
    const { edges, arrows, straightArray, curvedArray } = this.#resources
    const detailed = scene.view.k >= detailScale
    const shared = {
      ...common,
      color: [...unitColor(scene.theme.edge), edgeOpacity(scene)],
      bendScale: [detailed ? Math.min(scene.view.k, 1.5) : 0],
    }
    const segments = detailed ? curveSegments : 1
    const width = { halfWidth: [edgeWidth(scene.view.k) / 2] }
    edges.use({ ...shared, ...width }, { segments: 1 })
    gl.bindVertexArray(straightArray)
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.#straightCount)
    edges.use({}, { segments })
    gl.bindVertexArray(curvedArray)
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (segments + 1), this.#curvedCount)
    if (!detailed) return
    arrows.use({ ...shared, arrow: [arrowLength(scene.view.k)] })
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, this.#curvedCount)
    gl.bindVertexArray(straightArray)
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, this.#straightCount)
  }

  /** Straight edges first: they need four corners, curved ones thirty-four. */
  #uploadEdges(scene: Scene): void {
    const gl = this.#gl
    const { source, target, edgeCount } = scene.data
    const bends = Float32Array.from({ length: edgeCount }, (_, edge) => bendOf(scene.data, edge))
    const bytes = new ArrayBuffer(Math.max(1, edgeCount) * bytesPerEdge)
    const ends = new Uint32Array(bytes)
    const bend = new Float32Array(bytes)
    const isCurved = (i: number) => bends[i] !== 0 || source[i] === target[i]
    let next = 0
    for (const curved of [false, true]) {
      for (let i = 0; i < edgeCount; i++) {
        if (isCurved(i) !== curved) continue
        ends[3 * next] = source[i]!
        ends[3 * next + 1] = target[i]!
        bend[3 * next + 2] = bends[i]!
        next++
      }
      if (!curved) this.#straightCount = next
    }
    this.#curvedCount = edgeCount - this.#straightCount
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#resources.edgeBuffer)
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW)
    this.#bindEdges(this.#resources.straightArray, 0)
    this.#bindEdges(this.#resources.curvedArray, this.#straightCount * bytesPerEdge)
  }

  #bindEdges(array: WebGLVertexArrayObject, offset: number): void {
    const gl = this.#gl
    gl.bindVertexArray(array)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#resources.edgeBuffer)
    gl.enableVertexAttribArray(0)
    gl.vertexAttribIPointer(0, 2, gl.UNSIGNED_INT, bytesPerEdge, offset)
    gl.vertexAttribDivisor(0, 1)
    gl.enableVertexAttribArray(1)
    gl.vertexAttribPointer(1, 1, gl.FLOAT, false, bytesPerEdge, offset + 8)
    gl.vertexAttribDivisor(1, 1)
    gl.bindVertexArray(null)
  }

  #uploadColors(scene: Scene): void {
    const gl = this.#gl
    const { nodeCount, color } = scene.data
    const colors = scene.palette.map(parseHex)
    const bytes = new Uint8Array(4 * nodeCount)
    for (let i = 0; i < nodeCount; i++) bytes.set([...(colors[color[i]!] ?? [128, 128, 128]), 255], 4 * i)
    gl.bindVertexArray(this.#resources.nodeArray)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#resources.colorBuffer)
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW)
    gl.enableVertexAttribArray(0)
    gl.vertexAttribPointer(0, 4, gl.UNSIGNED_BYTE, true, 0, 0)
    gl.vertexAttribDivisor(0, 1)
    gl.bindVertexArray(null)
  }

  #restore(): void {
    this.#resources = createResources(this.#gl)
    if (!this.#scene) return
    this.dataChanged(this.#scene)
    this.draw(this.#scene)
  }
}

function createResources(gl: WebGL2RenderingContext): Resources {
  const nodeTexture = gl.createTexture()
  gl.bindTexture(gl.TEXTURE_2D, nodeTexture)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
  return {
    edges: new GlProgram(gl, edgeVertex, edgeFragment),
    arrows: new GlProgram(gl, arrowVertex, arrowFragment),
    nodes: new GlProgram(gl, nodeVertex, nodeFragment),
    nodeTexture,
    straightArray: gl.createVertexArray(),
    curvedArray: gl.createVertexArray(),
    nodeArray: gl.createVertexArray(),
    edgeBuffer: gl.createBuffer(),
    colorBuffer: gl.createBuffer(),
  }
}

function unitColor(color: string): [number, number, number] {
  const [red, green, blue] = parseHex(color)
  return [red / 255, green / 255, blue / 255]
}
