/** A linked program with its uniforms by name. */
export class GlProgram {
  readonly #gl: WebGL2RenderingContext
  readonly #program: WebGLProgram
  readonly #uniforms = new Map<string, WebGLUniformLocation | null>()

  constructor(gl: WebGL2RenderingContext, vertex: string, fragment: string) {
    this.#gl = gl
    this.#program = gl.createProgram()
    for (const [type, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(type)
      if (!shader) throw new Error('The graphics context is lost')
      gl.shaderSource(shader, source)
      gl.compileShader(shader)
      gl.attachShader(this.#program, shader)
      gl.deleteShader(shader)
    }
    gl.linkProgram(this.#program)
    if (!gl.getProgramParameter(this.#program, gl.LINK_STATUS) && !gl.isContextLost()) {
      const logs = gl.getAttachedShaders(this.#program)?.map((shader) => gl.getShaderInfoLog(shader))
      throw new Error(`Shaders do not link: ${gl.getProgramInfoLog(this.#program)} ${logs?.join(' ')}`)
    }
  }

  use(
    uniforms: Readonly<Record<string, readonly number[]>>,
    integers: Readonly<Record<string, number>> = {},
  ): void {
    const gl = this.#gl
    gl.useProgram(this.#program)
    for (const [name, value] of Object.entries(integers)) gl.uniform1i(this.#at(name), value)
    for (const [name, value] of Object.entries(uniforms)) {
      if (value.length === 1) gl.uniform1fv(this.#at(name), value)
      else if (value.length === 2) gl.uniform2fv(this.#at(name), value)
      else if (value.length === 3) gl.uniform3fv(this.#at(name), value)
      else gl.uniform4fv(this.#at(name), value)
    }
  }

  #at(name: string): WebGLUniformLocation | null {
    let location = this.#uniforms.get(name)
    if (location === undefined) {
      location = this.#gl.getUniformLocation(this.#program, name)
      this.#uniforms.set(name, location)
    }
    return location
  }
}
