import './api/random-uuid.ts';
import { createRoot } from 'react-dom/client';
import { openSession } from './api/session.ts';
import { App } from './app.tsx';
import './styles.css';

const place = document.getElementById('root');
if (place !== null) createRoot(place).render(<App />);
void openSession();
