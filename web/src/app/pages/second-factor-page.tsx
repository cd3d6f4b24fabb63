import { Anchor } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SecondFactorsPanel } from '../../features/security/second-factors-panel.tsx'
import { takeDestination } from '../../lib/destination.ts'
import { logOut, useUser } from '../../lib/session.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'

/** Where members are led whose account asks for a second factor, before anything else. */
export function SecondFactorPage() {
  const router = useRouter()
  const user = useUser()
  const [hadNone] = useState(user?.secondFactor === false)
  const isDone = user?.secondFactor === true
  useEffect(() => {
    if (isDone && !hadNone) router.history.replace(takeDestination(user?.id))
  }, [isDone, hadNone, router, user?.id])
  return (
    <AuthFrame
      title="Set up a second factor"
      subtitle="This account asks every member for one."
      footer={
        isDone ? (
          <Anchor component="button" onClick={() => router.history.replace(takeDestination(user?.id))}>
            Go on to Loci
          </Anchor>
        ) : (
          <Anchor component="button" onClick={() => void logOut()}>
            Sign out
          </Anchor>
        )
      }
    >
      <SecondFactorsPanel />
    </AuthFrame>
  )
}
