import { endpoints } from '../endpoint.ts'
import { Place } from '../places.ts'
import { json } from './statuses.ts'

export const placesApi = endpoints({
  getPlace: {
    method: 'GET',
    path: '/api/me/place',
    access: 'session',
    tag: 'Places',
    summary: 'Get the account and space where the person was last; their own default space if it is gone',
    withoutSecondFactor: true,
    ...json,
    response: Place,
  },
  setPlace: {
    method: 'PUT',
    path: '/api/me/place',
    access: 'session',
    tag: 'Places',
    summary: 'Remember the account and space where the person is',
    withoutSecondFactor: true,
    ...json,
    body: Place,
    response: Place,
  },
})
