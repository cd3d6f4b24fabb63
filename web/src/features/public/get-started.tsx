/** Leads to the plans, or straight to sign-up where the server does not charge. */
export function GetStarted({ className }: { className: string }) {
  return (
    <>
      <a className={`${className} where-charged`} href="/pricing">
        Get Started Free
      </a>
      <a className={`${className} where-free`} href="/signup">
        Get Started
      </a>
    </>
  )
}
