import {
  request,
  discover,
  hostile,
  listen,
  pinned,
  answer,
  renew,
  ASKED,
  EXCHANGED,
  REFRESHED,
  OWN_STATE,
  OWN_LOGIN,
  OTHER_ISSUER,
  ISSUER_ANSWER,
  NO_OPENID,
  NO_IMPLICIT,
  NO_PASSWORD,
  type Rule,
} from './rule.ts'

/** RFC 8707, resource indicators. */
export const RESOURCE_INDICATORS: readonly Rule[] = [
  [
    '2',
    'a resource is an absolute address without a fragment',
    discover('the address of the server is the resource in each request, without the part after #'),
  ],
  ['2.1', 'the resource is in the authorization request', request(ASKED)],
  ['2.2', 'the resource is in the requests for tokens', request(EXCHANGED, REFRESHED)],
  ['3', 'a token is used only for its resource', renew('a token is not sent to another host')],
]

/** RFC 9207, the issuer of an answer. */
export const ISSUER_OF_ANSWER: readonly Rule[] = [
  [
    '2.4',
    'the issuer of an answer is decoded and compared with that of the request',
    ISSUER_ANSWER,
  ],
  [
    '2.4',
    'it is compared as a simple text',
    answer('an issuer is compared character by character'),
  ],
  ['2.4', 'an answer of another issuer is rejected, and its code is not used', ISSUER_ANSWER],
  [
    '2.4',
    'an error of another issuer is not taken for one of the expected issuer',
    hostile('CVE-2026-104850: the text of a refusal from another issuer is not shown'),
  ],
  [
    '2.4',
    'the issuer is that of the metadata',
    pinned('metadata with another issuer is refused also if the server itself names both'),
  ],
  [
    '2.4',
    'without metadata the client decides in its own way what is expected',
    hostile(
      'CVE-2026-104850: a server that names no authorization server cannot have the issuer of another origin',
    ),
  ],
  [
    '2.4',
    'the client knows which issuers name themselves, and rejects their answers without it',
    [
      ...ISSUER_ANSWER,
      ...hostile(
        'a code alone is accepted only if the authorization server does not promise its issuer',
      ),
    ],
  ],
  ['2.4', 'the issuer of an ID token is the same', NO_OPENID],
  ['4', 'several authorization servers do not have the same issuer', OTHER_ISSUER],
  [
    '4',
    'issuers that are configured by hand are unique',
    pinned(
      'a configured issuer is the only one, also before the first login, and also if a person accepts another one',
    ),
  ],
  [
    '4',
    'an answer with several issuers that differ is rejected',
    answer('an honest issuer before a foreign one is refused as well'),
  ],
]

/** RFC 9700, security of OAuth 2.0. */
export const OAUTH_SECURITY: readonly Rule[] = [
  [
    '2.1',
    'no address forwards a browser to an address from a query',
    listen('the browser is sent nowhere else, whatever the address says'),
  ],
  [
    '2.1',
    'requests of others to the redirect address are prevented',
    [
      ...listen('the answer is the address of the first request with the state of the login'),
      ...hostile(OWN_LOGIN),
    ],
  ],
  [
    '2.1',
    'without PKCE, a state is used once and belongs to the browser',
    [...listen('a state is accepted once'), ...hostile(OWN_LOGIN)],
  ],
  [
    '2.1',
    'a client of several authorization servers keeps them apart',
    [
      ...ISSUER_ANSWER,
      ...pinned(
        'each issuer has a redirect address of its own, the same in both requests of a login',
      ),
    ],
  ],
  ['2.1.1', 'a code of another login is not used', hostile(OWN_LOGIN)],
  [
    '2.1.1',
    'a public client uses PKCE',
    [...request(ASKED), ...hostile('an authorization server without PKCE is refused')],
  ],
  ['2.1.1', 'the challenge belongs to one login', request(OWN_STATE)],
  ['2.1.2', 'tokens in the answer to an authorization request', NO_IMPLICIT],
  [
    '2.2.2',
    'refresh tokens of public clients are bound to the sender or replaced at each use',
    renew(
      'a token is renewed before it expires, once for requests at the same time, and the refresh token is replaced',
    ),
  ],
  ['2.4', 'the password of a person is not a grant', NO_PASSWORD],
  [
    '2.6',
    'answers are not sent over connections without encryption, except to this machine',
    listen('only this machine can reach the listener, and the page has no script'),
  ],
  ['2.6', 'partners of messages inside a browser are verified', 'no messages inside a browser'],
  [
    '4.1.3',
    'the server of the redirect address forwards to no other address',
    listen('the browser is sent nowhere else, whatever the address says'),
  ],
  [
    '4.3.2',
    'access tokens are in no address',
    request('the access token is sent in a header, never in an address'),
  ],
  [
    '4.4.2',
    'each request remembers its issuer, and answers are not mixed up',
    pinned(
      'RFC 9700, 4.4: an issuer that names the page of another one, which does not name itself, gets neither a code of it nor the verifier',
    ),
  ],
  [
    '4.4.2.1',
    'the issuer of an answer is compared as in RFC 9207; another one ends the login',
    [
      ...ISSUER_ANSWER,
      ...answer('an issuer is compared also if the authorization server does not promise it'),
    ],
  ],
  [
    '4.4.2.2',
    'each issuer has a redirect address of its own',
    pinned(
      'each issuer has a redirect address of its own, the same in both requests of a login',
      'a client ID metadata document has one redirect address for all issuers only if they name themselves: %s',
      'a page at another path than that of the issuer is refused, unless the issuer names itself in its answer',
    ),
  ],
  [
    '4.4.2.2',
    'an answer at another redirect address ends the login',
    [...hostile('the answer %j is refused'), ...listen('other paths and methods are not heard')],
  ],
  ['4.5.3.2', 'the nonce of an ID token is checked', NO_OPENID],
  [
    '4.7.1',
    'PKCE is relied on only where it is supported',
    hostile('an authorization server without PKCE is refused'),
  ],
  ['4.7.1', 'a state that carries data is protected', 'a state is random and carries no data'],
  [
    '4.11.1',
    'the client is no open redirector',
    listen('the browser is sent nowhere else, whatever the address says'),
  ],
  [
    '4.17.2',
    'the origin of a message inside a browser is compared',
    'no messages inside a browser',
  ],
]
