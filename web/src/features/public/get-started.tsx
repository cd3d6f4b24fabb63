/** Links to the plans; to sign-up if the server does not charge, or to sign-in if strangers cannot sign up. */
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
