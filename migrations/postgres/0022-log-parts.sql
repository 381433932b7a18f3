-- Only SQLite keeps a long log in parts: PostgreSQL clusters nothing by run, and writers of different runs do not share a commit's pages.
select 1;
