import { z } from 'zod';
import { REMOTE_PROVIDERS } from '../../core/security/security-facts.ts';
import { parseHttpUrl } from './parse-http-url.ts';

/** Plain http is taken, so that the security checklist can say what is wrong with it. */
const publicUrl = z
  .string()
  .max(2048)
  .refine(isPlainUrl, 'must be an http or https URL without a name and password')
  .optional();

/** Section of the config about the way in from outside. The tunnel itself is not ours: this tells what there is. */
export const remoteAccess = z
  .strictObject({
    provider: z
      .enum(REMOTE_PROVIDERS)
      .default('none')
      .describe(
        'What brings the world to this server, for GET /api/security/checklist: a Tailscale funnel, a Cloudflare tunnel, or a proxy with TLS of your own.',
      ),
    tailscale_funnel_url: publicUrl.describe('The https address of the funnel.'),
    cloudflare_tunnel_url: publicUrl.describe('The https address of the tunnel.'),
    proxy_url: publicUrl.describe('The https address of the proxy.'),
  })
  .prefault({});

function isPlainUrl(text: string): boolean {
  const url = parseHttpUrl(text);
  return url !== undefined && url.username === '' && url.password === '';
}
