import { Link } from '@tanstack/react-router'
import { PlanEndsWithAccount } from '../../features/billing/plan-ends-with-account.tsx'
import { AccountName } from '../../features/members/account-name.tsx'
import { HandOver } from '../../features/members/hand-over.tsx'
import { MembersPanel } from '../../features/members/members-panel.tsx'
import { SecondFactorRule } from '../../features/security/second-factor-rule.tsx'
import { DeleteAccount } from '../../features/settings/delete-account.tsx'
import { SpacesPanel } from '../../features/spaces/spaces-panel.tsx'
import { useMay } from '../../lib/rights.ts'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import classes from './settings-page.module.css'

export function MembersSettings() {
  const managesMembers = useMay('members:manage')
  return (
    <Section
      title="Members"
      description="Who shares this memory, and what they can do."
      aside={
        managesMembers && (
          <Link to="/audit" className={rows.more}>
            Audit log
          </Link>
        )
      }
      flush
    >
      <MembersPanel />
      <SecondFactorRule />
    </Section>
  )
}

export function SpacesSettings() {
  return <SpacesPanel />
}

export function AccountSettings() {
  return (
    <>
      <div className={classes.pair}>
        <Section title="Account">
          <AccountName />
        </Section>
        <Section title="Hand over ownership">
          <HandOver />
        </Section>
      </div>
      <Section title="Delete account">
        <DeleteAccount notice={<PlanEndsWithAccount />} />
      </Section>
    </>
  )
}
