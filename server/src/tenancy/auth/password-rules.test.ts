import { expect, test } from 'vitest'
import { AppError } from '../../ground/errors/app-error.ts'
import { requireGoodPassword } from './password-rules.ts'

const email = 'ada.lovelace@example.com'

const tooCommon = 'The password is too common'
const isEmail = 'The password must not be your email address'
const isOld = 'The new password must differ from the current one'

/** What the refusal says; undefined if the password is accepted. */
async function problemWith(password: string, current?: string): Promise<string | undefined> {
  try {
    await requireGoodPassword({
      password,
      email,
      path: 'newPassword',
      ...(current === undefined ? {} : { current }),
    })
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('validation_failed')
    expect(error.details).toEqual([{ path: 'newPassword', message: error.message }])
    return error.message.startsWith('This password is too common') ? tooCommon : error.message
  }
}

test.each(['password1', 'Password1', 'QWERTYUIOP', '123456789', 'iloveyou', 'liverpool1'])(
  '%s is on every list of passwords, in whatever case',
  async (password) => expect(await problemWith(password)).toBe(tooCommon),
)

test.each([
  ...[
    'Password1!',
    'letmein123',
    'P@ssw0rd!!',
    '!!l3tm31n',
    '$unshine1',
    'Qwerty123!',
    'Summer-2024',
    'Abc123!!',
  ],
  ...[
    'p.a.s.s.w.o.r.d',
    'Pässwörd',
    'drago\u0301n99',
    'k1ller1990',
    '1qaz2wsx!',
    '123456789!',
    'monkey19901231',
  ],
])('%s is a common password with accents, digits and marks', async (password) =>
  expect(await problemWith(password)).toBe(tooCommon),
)

test.each(['monkeymonkey', 'passwordpassword1', 'Dragon-Dragon', 'qwerty.qwerty.qwerty'])(
  '%s is a common password, repeated',
  async (password) => expect(await problemWith(password)).toBe(tooCommon),
)

test.each(['123456789012', '34567890123', '987654321098', 'abcdefghijkl', 'zyxwvuts', 'αβγδεζηθ'])(
  '%s is a sequence',
  async (password) => expect(await problemWith(password)).toBe(tooCommon),
)

test('a common word among enough other signs is a password of its own', async () => {
  for (const password of ['monkey 8412 9937 05', 'my monkey sings', 'Correct-horse-7', '東京2024東京'])
    expect(await problemWith(password)).toBeUndefined()
})

test('the 3,000 most common passwords of eight characters or more are refused, and no others', async () => {
  expect(await problemWith('13101988')).toBe(tooCommon)
  expect(await problemWith('13101992')).toBeUndefined()
})

test.each(['aaaaaaaaaaaa', '        ', 'ÄäÄäÄäÄä', '🔑🔑🔑🔑🔑🔑🔑🔑'])(
  'one character over and over is too common: %s',
  async (password) => expect(await problemWith(password)).toBe(tooCommon),
)

test.each([
  'correct horse battery staple',
  'password1 and something else',
  'my-iloveyou',
  'aaaaaaaaaaab',
  '東京で桜を見ました',
])('%s is not common', async (password) => expect(await problemWith(password)).toBeUndefined())

test.each(['","', '123456","password', '\\"', 'a\\u0062'])(
  'the list is not fooled by the marks of JSON: %s',
  async (password) => expect(await problemWith(password)).toBeUndefined(),
)

test.each([email, 'ADA.Lovelace@Example.com', 'ada.lovelace', 'Ada.LOVELACE'])(
  'an email address, or what is before the @, is refused: %s',
  async (password) => expect(await problemWith(password)).toBe(isEmail),
)

test('a password that contains the email address is accepted', async () => {
  expect(await problemWith(`${email} at work`)).toBeUndefined()
  expect(await problemWith('lovelace@example.com')).toBeUndefined()
})

test('an email address is recognised however its accents are composed', async () => {
  const accented = 'jos\u00e9.alvarez@example.com'
  const password = 'jose\u0301.alvarez'
  const check = requireGoodPassword({ password, email: accented, path: 'password' })
  await expect(check).rejects.toThrow(isEmail)
})

test('the current password is not new, even if it is common', async () => {
  expect(await problemWith('correct horse battery', 'correct horse battery')).toBe(isOld)
  expect(await problemWith('password1', 'password1')).toBe(isOld)
})

test('a password that differs from the current one only in case is new', async () => {
  expect(await problemWith('Correct horse battery', 'correct horse battery')).toBeUndefined()
})
