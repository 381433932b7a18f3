export const PANEL_IDS = ['github', 'email', 'whatsapp_gateway', 'make', 'chefos'] as const;

export type PanelId = (typeof PANEL_IDS)[number];

/** A service outside that people want to know the state of. */
export interface PanelService {
  readonly id: PanelId;
  readonly name: string;
  /** Of the configuration: `integrations.<section>.base_url`. */
  readonly section: 'github' | 'resend' | 'whatsapp_gateway' | 'make' | 'chefos';
  /** Below the base URL: something to read that changes nothing and needs the key. */
  readonly testPath: string;
  readonly secretName: string;
  readonly scheme: 'Bearer' | 'Token';
  /** It has no address by default. */
  readonly needsBaseUrl: boolean;
  /** A refusal of the test by this name says that the key is good, for other things. */
  readonly takesAnyway?: string;
}

export const PANEL_SERVICES: readonly PanelService[] = [
  {
    id: 'github',
    name: 'GitHub',
    section: 'github',
    testPath: '/rate_limit',
    secretName: 'intsec_github_1',
    scheme: 'Bearer',
    needsBaseUrl: false,
  },
  {
    id: 'email',
    name: 'Resend',
    section: 'resend',
    testPath: '/domains',
    secretName: 'intsec_resend_1',
    scheme: 'Bearer',
    needsBaseUrl: false,
    // A key that may only send, which is all that it is needed for.
    takesAnyway: 'restricted_api_key',
  },
  {
    id: 'whatsapp_gateway',
    name: 'WhatsApp gateway',
    section: 'whatsapp_gateway',
    testPath: '/health',
    secretName: 'intsec_whatsapp_gateway_1',
    scheme: 'Bearer',
    needsBaseUrl: true,
  },
  {
    id: 'make',
    name: 'Make',
    section: 'make',
    testPath: '/users/me',
    secretName: 'intsec_make_1',
    scheme: 'Token',
    needsBaseUrl: false,
  },
  {
    id: 'chefos',
    name: 'ChefOS',
    section: 'chefos',
    testPath: '/health',
    secretName: 'intsec_chefos_1',
    scheme: 'Bearer',
    needsBaseUrl: true,
  },
];
