/** Width of the texture that holds one node per texel: x, y, radius, visible. */
export const nodeTextureWidth = 2048

/** The geometry of `model/geometry.ts` once more, for the graphics card: keep the two in step. */
const common = `#version 300 es
precision highp float;
uniform highp sampler2D nodes;
uniform vec3 view;
uniform vec2 size;
vec4 nodeAt(uint i) { return texelFetch(nodes, ivec2(int(i % ${nodeTextureWidth}u), int(i / ${nodeTextureWidth}u)), 0); }
vec2 place(vec4 node) { return node.xy * view.x + view.yz; }
float radiusOf(vec4 node) { return max(0.75, node.z * (view.x >= 1.0 ? view.x : pow(view.x, 0.75))); }
vec4 clip(vec2 pixel) { return vec4(pixel.x / size.x * 2.0 - 1.0, 1.0 - pixel.y / size.y * 2.0, 0.0, 1.0); }
const vec4 nowhere = vec4(2.0, 2.0, 2.0, 1.0);
`

const curves = `
layout(location = 0) in uvec2 ends;
layout(location = 1) in float bend;
uniform float bendScale;
vec2 pointAt(vec2 p0, vec2 c1, vec2 c2, vec2 p3, float t) {
  float u = 1.0 - t;
  return u * u * u * p0 + 3.0 * u * u * t * c1 + 3.0 * u * t * t * c2 + t * t * t * p3;
}
void curveOf(vec4 a, vec4 b, out vec2 p0, out vec2 c1, out vec2 c2, out vec2 p3) {
  if (ends.x == ends.y) {
    float r = radiusOf(a);
    float reach = r + (34.0 + 20.0 * bend) * min(view.x, 1.5);
    vec2 from = vec2(cos(-1.5707963 - 0.55), sin(-1.5707963 - 0.55));
    vec2 to = vec2(-from.x, from.y);
    p0 = place(a) + from * r; c1 = place(a) + from * reach;
    c2 = place(a) + to * reach; p3 = place(a) + to * r;
    return;
  }
  p0 = place(a); p3 = place(b);
  vec2 along = p3 - p0;
  float len = max(1e-6, length(along));
  vec2 control = (p0 + p3) / 2.0 + vec2(along.y, -along.x) / len * bend * bendScale * 2.0;
  c1 = mix(p0, control, 2.0 / 3.0); c2 = mix(p3, control, 2.0 / 3.0);
}
`

export const edgeVertex = `${common}${curves}
uniform float halfWidth;
uniform int segments;
out float across;
void main() {
  vec4 a = nodeAt(ends.x); vec4 b = nodeAt(ends.y);
  if (a.w < 0.5 || b.w < 0.5) { gl_Position = nowhere; return; }
  vec2 p0, c1, c2, p3;
  curveOf(a, b, p0, c1, c2, p3);
  float t = float(gl_VertexID / 2) / float(segments);
  float u = 1.0 - t;
  vec2 point = pointAt(p0, c1, c2, p3, t);
  vec2 along = 3.0 * u * u * (c1 - p0) + 6.0 * u * t * (c2 - c1) + 3.0 * t * t * (p3 - c2);
  if (dot(along, along) < 1e-12) along = vec2(1.0, 0.0);
  vec2 normal = normalize(vec2(-along.y, along.x));
  across = (gl_VertexID % 2 == 0 ? -1.0 : 1.0) * (halfWidth + 1.0);
  gl_Position = clip(point + normal * across);
}`

export const edgeFragment = `#version 300 es
precision highp float;
in float across;
uniform float halfWidth;
uniform float pixelRatio;
uniform vec4 color;
out vec4 result;
void main() {
  float cover = clamp((halfWidth - abs(across)) * pixelRatio + 0.5, 0.0, 1.0);
  result = vec4(color.rgb, color.a * cover);
}`

export const arrowVertex = `${common}${curves}
uniform float arrow;
void main() {
  vec4 a = nodeAt(ends.x); vec4 b = nodeAt(ends.y);
  if (a.w < 0.5 || b.w < 0.5) { gl_Position = nowhere; return; }
  vec2 p0, c1, c2, p3;
  curveOf(a, b, p0, c1, c2, p3);
  vec2 dir, tip;
  if (ends.x == ends.y) {
    dir = normalize(p3 - c2);
    tip = p3 - dir * 2.0;
  } else {
    float len = max(1.0, distance(p0, p3));
    float reach = radiusOf(b) + 2.0;
    float rest = min(0.5, reach / len);
    if (bend * bendScale != 0.0) for (int i = 0; i < 3; i++) {
      rest = min(0.6, rest * reach / max(1.0, distance(pointAt(p0, c1, c2, p3, 1.0 - rest), p3)));
    }
    tip = pointAt(p0, c1, c2, p3, 1.0 - rest);
    vec2 body = tip - pointAt(p0, c1, c2, p3, 1.0 - min(1.0, rest + min(0.2, 8.0 / len)));
    dir = body / max(1e-6, length(body));
  }
  vec2 side = vec2(-dir.y, dir.x) * arrow * 0.42;
  vec2 corner = gl_VertexID == 0 ? tip : tip - dir * arrow + (gl_VertexID == 1 ? side : -side);
  gl_Position = clip(corner);
}`

export const arrowFragment = `#version 300 es
precision highp float;
uniform vec4 color;
out vec4 result;
void main() { result = color; }`

export const nodeVertex = `${common}
layout(location = 0) in vec4 tint;
uniform float pixelRatio;
out vec2 corner;
out vec4 fill;
out float radius;
out float rim;
void main() {
  vec4 node = nodeAt(uint(gl_InstanceID));
  if (node.w < 0.5) { gl_Position = nowhere; return; }
  float r = radiusOf(node);
  rim = r >= 3.0 ? min(2.0, r * 0.2) : 0.0;
  vec2 unit = vec2(gl_VertexID % 2 == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
  float extent = r + rim + 1.0;
  corner = unit * extent * pixelRatio;
  radius = r * pixelRatio;
  rim *= pixelRatio;
  fill = tint;
  gl_Position = clip(place(node) + unit * extent);
}`

export const nodeFragment = `#version 300 es
precision highp float;
in vec2 corner;
in vec4 fill;
in float radius;
in float rim;
uniform vec4 color;
out vec4 result;
void main() {
  float distance = length(corner);
  float cover = clamp(radius + rim - distance + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float inside = clamp(radius - distance + 0.5, 0.0, 1.0);
  result = vec4(rim > 0.0 ? mix(color.rgb, fill.rgb, inside) : fill.rgb, cover);
}`
