import { WeeklyMail } from '../../features/briefs/weekly-mail.tsx'
import { SecondFactorsPanel } from '../../features/security/second-factors-panel.tsx'
import { PasswordForm } from '../../features/settings/password-form.tsx'
import { ProfileForm } from '../../features/settings/profile-form.tsx'
import { EndOtherSessions, SessionList } from '../../features/settings/session-list.tsx'
import { useUser } from '../../lib/session.ts'
import { Section } from '../../ui/section.tsx'
import classes from './settings-page.module.css'

export function ProfileSettings() {
  const user = useUser()
  if (!user) return null
  return (
    <div className={classes.pair}>
      <Section title="Profile">
        <ProfileForm user={user} />
      </Section>
      <Section id="password" title="Password">
        <PasswordForm />
      </Section>
    </div>
  )
}

export function SecuritySettings() {
  return (
    <div className={classes.pair}>
      <Section
        title="Second factor"
        description="With a second factor, a stolen password alone is not enough to sign in."
        flush
      >
        <SecondFactorsPanel />
      </Section>
      <Section id="sessions" title="Sessions" flush aside={<EndOtherSessions />}>
        <SessionList />
      </Section>
    </div>
  )
}

export function MailSettings() {
  return (
    <Section
      title="Weekly mail"
      description="What happened in this space and what waits in its inbox, in one mail."
    >
      <WeeklyMail />
    </Section>
  )
}
