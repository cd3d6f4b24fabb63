import type { ReactNode } from 'react'

/** Small plans in the style of the logo: ink for existing parts, the accent for highlighted ones. */
function Glyph({ children }: { children: ReactNode }) {
  return (
    <svg
      className="glyph"
      overflow="visible"
      viewBox="7 7 42 42"
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
    >
      {children}
    </svg>
  )
}

const Dot = ({ x, y, r = 4 }: { x: number; y: number; r?: number }) => (
  <circle cx={x} cy={y} r={r} fill="currentColor" stroke="none" />
)
const Lit = ({ x, y, r = 5.5 }: { x: number; y: number; r?: number }) => (
  <circle cx={x} cy={y} r={r} className="lit-fill" stroke="none" />
)

export const graphGlyph = (
  <Glyph>
    <path d="M12 12v32h32M12 28h18V12M30 28h14" />
    <Dot x={12} y={12} />
    <Dot x={30} y={12} />
    <Dot x={44} y={28} />
    <Dot x={44} y={44} />
    <Dot x={12} y={44} />
    <Lit x={30} y={28} />
  </Glyph>
)

export const doorGlyph = (
  <Glyph>
    <path d="M28 20V8H8v40h20V36M28 20V8h20v40H28V36" />
    <path d="M18 28h20" className="lit-stroke" />
    <Dot x={18} y={28} />
    <Lit x={38} y={28} />
  </Glyph>
)

export const walkGlyph = (
  <Glyph>
    <path d="M8 8h40v40H8zM8 28h6M22 28h12M42 28h6M28 8v6M28 22v12M28 42v6" />
    <path d="M18 18v20h20V18" className="lit-stroke" />
    <Dot x={18} y={18} r={3.5} />
    <Lit x={38} y={18} r={5} />
  </Glyph>
)

export const liveGlyph = (
  <Glyph>
    <path d="M12 26a18 18 0 0 1 18 18M12 10a34 34 0 0 1 34 34" />
    <Dot x={46} y={44} />
    <Dot x={12} y={10} />
    <Lit x={14} y={42} r={6.5} />
  </Glyph>
)

export const editGlyph = (
  <Glyph>
    <path d="M8 8h40v40H8z" strokeDasharray="4 4" />
    <path d="M16 20h24M16 28h24" />
    <path d="M16 36h10" className="lit-stroke" />
    <Lit x={30} y={36} r={4} />
  </Glyph>
)

export const houseGlyph = (
  <Glyph>
    <path d="M24 48H8V8h40v40H34" />
    <path d="M28 48V28h10" className="lit-stroke" />
    <Lit x={28} y={28} />
    <Dot x={38} y={28} r={3.5} />
  </Glyph>
)
