import { Alert, Button, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrorsOf } from '../../lib/errors.ts'
import { PasswordChecklist } from './password-checklist.tsx'
import { findSignupProblem, isFilled, type SignupValues } from './signup.rules.ts'

const empty: SignupValues = { firstName: '', lastName: '', email: '', password: '', confirmPassword: '' }

type SignupFormProps = {
  /** The button's label. */
  label: string
  /** The address that is already known. */
  email?: string | undefined
  /** Creates the account; if it throws, the error's message is shown. */
  onSubmit: (values: SignupValues) => Promise<void>
}

export function SignupForm({ label, email = '', onSubmit }: SignupFormProps) {
  const [values, setValues] = useState({ ...empty, email })
  const [problem, setProblem] = useState<string>()
  const [fieldProblems, setFieldProblems] = useState<Record<string, string>>({})
  const [pending, setPending] = useState(false)
  const passwordInput = useRef<HTMLInputElement>(null)

  const field = (name: keyof SignupValues) => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setProblem(undefined)
      setFieldProblems({})
      setValues((previous) => ({ ...previous, [name]: value }))
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found = findSignupProblem(values)
    setProblem(found)
    if (found !== undefined) return
    setPending(true)
    try {
      await onSubmit(values)
    } catch (error) {
      const byField = fieldErrorsOf((error as Error).cause)
      setFieldProblems(byField)
      setPending(false)
      // Shown at the field, where a screen reader announces it on focus.
      if (byField.password === undefined) setProblem((error as Error).message)
      else passwordInput.current?.focus()
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <SimpleGrid cols={2} spacing="sm">
          <TextInput
            label="First Name"
            autoComplete="given-name"
            autoFocus
            maxLength={128}
            {...field('firstName')}
          />
          <TextInput label="Last Name" autoComplete="family-name" maxLength={128} {...field('lastName')} />
        </SimpleGrid>
        <TextInput label="Email Address" type="email" autoComplete="email" {...field('email')} />
        <PasswordInput
          ref={passwordInput}
          label="Password"
          autoComplete="new-password"
          error={fieldProblems.password}
          aria-invalid={fieldProblems.password !== undefined}
          {...field('password')}
        />
        <PasswordChecklist password={values.password} />
        <PasswordInput label="Confirm Password" autoComplete="new-password" {...field('confirmPassword')} />
        <Button type="submit" fullWidth loading={pending} disabled={!isFilled(values)}>
          {label}
        </Button>
      </Stack>
    </form>
  )
}
