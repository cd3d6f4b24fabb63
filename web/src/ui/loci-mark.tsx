/** The logo: three points joined in an L, with the corner one lit. */
export function LociMark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden display="block">
      <path d="M8 7v17h17" fill="none" stroke="currentColor" strokeWidth="2.6" />
      <circle cx="8" cy="7" r="4" fill="currentColor" />
      <circle cx="25" cy="24" r="4" fill="currentColor" />
      <circle cx="8" cy="24" r="5.6" fill="var(--loci-accent)" />
    </svg>
  )
}
