/** Leads to the plans, straight to sign-up where the server does not charge, or to sign-in where it takes no strangers. */
export function GetStarted({ className }: { className: string }) {
  return (
    <>
      <a className={`${className} where-open where-charged`} href="/pricing">
        Get Started Free
      </a>
      <a className={`${className} where-open where-free`} href="/signup">
        Get Started
      </a>
      <a className={`${className} where-closed`} href="/login">
        Sign In
      </a>
    </>
  )
}
