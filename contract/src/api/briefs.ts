import { BriefMailResponse, BriefResponse, MarkBrief, ReadBrief, SetBriefMail } from '../briefs.ts'
import { endpoints } from '../endpoint.ts'
import { empty, json } from './statuses.ts'

export const briefsApi = endpoints({
  getBrief: {
    method: 'GET',
    path: '/api/brief',
    access: 'memory:read',
    tag: 'Briefs',
    summary: 'Get what happened in the space since the person last read all of it',
    ...json,
    response: BriefResponse,
  },
  markBrief: {
    method: 'PUT',
    path: '/api/brief/mark',
    access: 'memory:read',
    tag: 'Briefs',
    summary: 'Mark everything up to a change as read by the person',
    ...empty,
    body: MarkBrief,
  },
  readBrief: {
    method: 'POST',
    path: '/api/brief/read',
    access: 'memory:read',
    tag: 'Briefs',
    summary: 'Mark single changes as read by the person',
    reads: true,
    ...empty,
    body: ReadBrief,
  },
  getBriefMail: {
    method: 'GET',
    path: '/api/brief/mail',
    access: 'memory:read',
    tag: 'Briefs',
    summary:
      'Get what the person is mailed each Monday: what happened in the space, and what waits for their decision',
    ...json,
    response: BriefMailResponse,
  },
  setBriefMail: {
    method: 'PUT',
    path: '/api/brief/mail',
    access: 'memory:read',
    tag: 'Briefs',
    summary: 'Set what the weekly mail tells; it is off until asked for',
    reads: true,
    ...json,
    body: SetBriefMail,
    response: BriefMailResponse,
  },
})
