/** What the HTTP server reports about itself. Labels are bounded: routes are patterns, never paths. */
export interface HttpMetrics {
  httpRequest(request: {
    readonly surface: string;
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly durationMs: number;
  }): void;
  openStreams(count: number): void;
}

export const noHttpMetrics: HttpMetrics = { httpRequest: () => {}, openStreams: () => {} };
