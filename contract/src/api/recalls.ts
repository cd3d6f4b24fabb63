import { endpoints } from '../endpoint.ts'
import {
  AnswerResponse,
  AskAgain,
  DeleteRecallQuery,
  ListRecallsQuery,
  RecallsResponse,
  ReplayResponse,
  UnansweredResponse,
} from '../recalls.ts'
import { empty, json } from './statuses.ts'

const restriction = "others' recalls need memory:review"

export const recallsApi = endpoints({
  listRecalls: {
    method: 'GET',
    path: '/api/recalls',
    access: 'memory:read',
    restriction,
    tag: 'Recalls',
    summary: 'List what agents asked of the memory, newest first',
    ...json,
    query: ListRecallsQuery,
    response: RecallsResponse,
  },
  listUnanswered: {
    method: 'GET',
    path: '/api/recalls/unanswered',
    access: 'memory:read',
    restriction,
    tag: 'Recalls',
    summary: 'List the questions for which nothing was found, the latest first',
    ...json,
    response: UnansweredResponse,
  },
  askAgain: {
    method: 'POST',
    path: '/api/recalls/ask',
    access: 'memory:read',
    tag: 'Recalls',
    summary: 'Get what an agent would be told for a question now, row by row; it is not kept',
    reads: true,
    ...json,
    body: AskAgain,
    response: AnswerResponse,
  },
  getRecall: {
    method: 'GET',
    path: '/api/recalls/:id',
    access: 'memory:read',
    restriction,
    tag: 'Recalls',
    summary: 'Get a recall with its rows as they are now',
    ...json,
    response: ReplayResponse,
  },
  deleteRecall: {
    method: 'DELETE',
    path: '/api/recalls/:id',
    access: 'memory:read',
    restriction,
    tag: 'Recalls',
    summary: 'Delete a recall',
    ...empty,
    query: DeleteRecallQuery,
  },
})
