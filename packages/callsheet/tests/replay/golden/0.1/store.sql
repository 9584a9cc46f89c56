BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE inbox (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	id VARCHAR NOT NULL,
	run VARCHAR NOT NULL,
	body TEXT NOT NULL,
	settled TEXT,
	CONSTRAINT uq_inbox_id UNIQUE (id)
);
CREATE TABLE journal (
	run VARCHAR NOT NULL,
	seq INTEGER NOT NULL,
	body TEXT NOT NULL,
	CONSTRAINT pk_journal PRIMARY KEY (run, seq)
)
 WITHOUT ROWID

;
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',1,'{"kind":"RunStarted","run":"r00t3rgmsfrp6hxg913cgqvt","plan":{"steps":[{"id":"sky","tool":"weather","args":{"city":"Oslo"}},{"id":"flight","tool":"flights.book","args":{"to":"${steps.sky.city}"}},{"id":"each","tool":"value","args":{"value":"${item}"},"for_each":[1,2,3]}],"name":"trip"},"inputs":{},"tools":{"flights.book":{"name":"flights.book","effect":"write","idempotent":true,"undo":"flights.cancel"},"flights.cancel":{"name":"flights.cancel","effect":"write","idempotent":true},"value":{"name":"value"},"weather":{"name":"weather"}},"seed":"r00t3rgmsfrp6hxg913cgqvt","format":1,"core":1,"flags":[],"key":"monday","at":"2026-11-16T01:59:36.177800Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',2,'{"kind":"StepExpanded","step":"each","count":3,"items":[1,2,3],"at":"2026-11-16T01:59:36.178216Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',3,'{"kind":"AttemptStarted","step":"sky","attempt":1,"args":{"city":"Oslo"},"at":"2026-11-16T01:59:36.178364Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',4,'{"kind":"AttemptStarted","step":"each[0]","attempt":1,"args":{"value":1},"at":"2026-11-16T01:59:36.178418Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',5,'{"kind":"AttemptStarted","step":"each[1]","attempt":1,"args":{"value":2},"at":"2026-11-16T01:59:36.178451Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',6,'{"kind":"AttemptStarted","step":"each[2]","attempt":1,"args":{"value":3},"at":"2026-11-16T01:59:36.178472Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',7,'{"kind":"AttemptEnded","step":"sky","attempt":1,"outcome":"succeeded","output":{"city":"Oslo","sun":true},"at":"2026-11-16T01:59:36.195364Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',8,'{"kind":"AttemptEnded","step":"each[0]","attempt":1,"outcome":"succeeded","output":1,"at":"2026-11-16T01:59:36.195439Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',9,'{"kind":"AttemptEnded","step":"each[1]","attempt":1,"outcome":"succeeded","output":2,"at":"2026-11-16T01:59:36.195462Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',10,'{"kind":"AttemptEnded","step":"each[2]","attempt":1,"outcome":"succeeded","output":3,"at":"2026-11-16T01:59:36.195474Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',11,'{"kind":"AttemptStarted","step":"flight","attempt":1,"args":{"to":"Oslo"},"undo":{"tool":"flights.cancel","args":{"args":{"to":"Oslo"},"key":"dd424429929da4d3dbfa21b3b2b25eb2"}},"at":"2026-11-16T01:59:36.195520Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',12,'{"kind":"AttemptEnded","step":"flight","attempt":1,"outcome":"succeeded","output":{"id":"f-1","to":"Oslo"},"undo":{"tool":"flights.cancel","args":{"args":{"to":"Oslo"},"output":{"id":"f-1","to":"Oslo"},"key":"dd424429929da4d3dbfa21b3b2b25eb2"},"resolved":true},"at":"2026-11-16T01:59:36.196068Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsfrp6hxg913cgqvt',13,'{"kind":"RunEnded","state":"succeeded","output":null,"digest":"0e0e8da22a2174057eb746c2031e74341fdeb286de112fb3a5303682bc2608d0","at":"2026-11-16T01:59:36.196129Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsg2hhfcbtvj2j154',1,'{"kind":"RunStarted","run":"r00t3rgmsg2hhfcbtvj2j154","plan":{"steps":[{"id":"flight","tool":"flights.book","args":{"to":"Rome"}},{"id":"bad","tool":"fail","needs":["flight"]}],"name":"broken"},"inputs":{},"tools":{"fail":{"name":"fail"},"flights.book":{"name":"flights.book","effect":"write","idempotent":true,"undo":"flights.cancel"},"flights.cancel":{"name":"flights.cancel","effect":"write","idempotent":true}},"seed":"r00t3rgmsg2hhfcbtvj2j154","format":1,"core":1,"flags":[],"at":"2026-11-16T01:59:36.197552Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsg2hhfcbtvj2j154',2,'{"kind":"AttemptStarted","step":"flight","attempt":1,"args":{"to":"Rome"},"undo":{"tool":"flights.cancel","args":{"args":{"to":"Rome"},"key":"d0f49d373059b3a1766a4086e07b37a2"}},"at":"2026-11-16T01:59:36.197737Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsg2hhfcbtvj2j154',3,'{"kind":"AttemptEnded","step":"flight","attempt":1,"outcome":"succeeded","output":{"id":"f-1","to":"Rome"},"undo":{"tool":"flights.cancel","args":{"args":{"to":"Rome"},"output":{"id":"f-1","to":"Rome"},"key":"d0f49d373059b3a1766a4086e07b37a2"},"resolved":true},"at":"2026-11-16T01:59:36.203006Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsg2hhfcbtvj2j154',4,'{"kind":"AttemptStarted","step":"bad","attempt":1,"args":{},"at":"2026-11-16T01:59:36.203102Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsg2hhfcbtvj2j154',5,'{"kind":"AttemptEnded","step":"bad","attempt":1,"outcome":"failed","error":{"error_class":"fatal","message":"ValueError: no","type":"ValueError"},"at":"2026-11-16T01:59:36.211471Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsg2hhfcbtvj2j154',6,'{"kind":"UndoStarted","step":"flight","attempt":1,"tool":"flights.cancel","args":{"args":{"to":"Rome"},"output":{"id":"f-1","to":"Rome"},"key":"d0f49d373059b3a1766a4086e07b37a2"},"at":"2026-11-16T01:59:36.211571Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsg2hhfcbtvj2j154',7,'{"kind":"UndoEnded","step":"flight","attempt":1,"outcome":"succeeded","output":{"cancelled":true},"at":"2026-11-16T01:59:36.218958Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsg2hhfcbtvj2j154',8,'{"kind":"RunEnded","state":"undone","cause":{"kind":"failure","step":"bad","message":"ValueError: no"},"digest":"166020b724b1cf91fd7dea7431b0bad754d13ac1835d09891e4a0f01a6fcfe3e","at":"2026-11-16T01:59:36.219025Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',1,'{"kind":"RunStarted","run":"r00t3rgmsgegwmk4jr6jkkg3","plan":{"steps":[{"id":"sky","tool":"weather","args":{"city":"Oslo"}},{"id":"flight","tool":"flights.book","args":{"to":"${steps.sky.city}"}},{"id":"each","tool":"value","args":{"value":"${item}"},"for_each":[1,2,3]}],"name":"trip"},"inputs":{},"tools":{"flights.book":{"name":"flights.book","effect":"write","idempotent":true,"undo":"flights.cancel"},"flights.cancel":{"name":"flights.cancel","effect":"write","idempotent":true},"value":{"name":"value"},"weather":{"name":"weather"}},"seed":"r00t3rgmsgegwmk4jr6jkkg3","format":1,"core":1,"flags":[],"at":"2026-11-16T01:59:36.221137Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',2,'{"kind":"StepExpanded","step":"each","count":3,"items":[1,2,3],"at":"2026-11-16T01:59:36.221239Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',3,'{"kind":"AttemptStarted","step":"sky","attempt":1,"args":{"city":"Oslo"},"at":"2026-11-16T01:59:36.221311Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',4,'{"kind":"AttemptStarted","step":"each[0]","attempt":1,"args":{"value":1},"at":"2026-11-16T01:59:36.221338Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',5,'{"kind":"AttemptStarted","step":"each[1]","attempt":1,"args":{"value":2},"at":"2026-11-16T01:59:36.221358Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',6,'{"kind":"AttemptStarted","step":"each[2]","attempt":1,"args":{"value":3},"at":"2026-11-16T01:59:36.221371Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',7,'{"kind":"AttemptEnded","step":"sky","attempt":1,"outcome":"succeeded","output":{"city":"Oslo","sun":true},"at":"2026-11-16T01:59:36.226474Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',8,'{"kind":"AttemptEnded","step":"each[0]","attempt":1,"outcome":"succeeded","output":1,"at":"2026-11-16T01:59:36.226521Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',9,'{"kind":"AttemptEnded","step":"each[1]","attempt":1,"outcome":"succeeded","output":2,"at":"2026-11-16T01:59:36.226534Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',10,'{"kind":"AttemptEnded","step":"each[2]","attempt":1,"outcome":"succeeded","output":3,"at":"2026-11-16T01:59:36.226541Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',11,'{"kind":"AttemptStarted","step":"flight","attempt":1,"args":{"to":"Oslo"},"undo":{"tool":"flights.cancel","args":{"args":{"to":"Oslo"},"key":"91d4e89fdcc761d8e0bc4c35c5974948"}},"at":"2026-11-16T01:59:36.226568Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',12,'{"kind":"AttemptEnded","step":"flight","attempt":1,"outcome":"succeeded","output":{"id":"f-1","to":"Oslo"},"undo":{"tool":"flights.cancel","args":{"args":{"to":"Oslo"},"output":{"id":"f-1","to":"Oslo"},"key":"91d4e89fdcc761d8e0bc4c35c5974948"},"resolved":true},"at":"2026-11-16T01:59:36.227186Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',13,'{"kind":"RunEnded","state":"succeeded","output":null,"digest":"3e44cddcb4d9bee8241fc296d39c1e70bc8ecd775f0d5c82e0b89ad209504f09","at":"2026-11-16T01:59:36.227244Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',14,'{"kind":"UndoRequested","by":"ada","request":"r00t3rgmsgegwmk4jr6jkkg3-51a66629a0646db9","at":"2026-11-16T01:59:36.229551Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',15,'{"kind":"UndoStarted","step":"flight","attempt":1,"tool":"flights.cancel","args":{"args":{"to":"Oslo"},"output":{"id":"f-1","to":"Oslo"},"key":"91d4e89fdcc761d8e0bc4c35c5974948"},"at":"2026-11-16T01:59:36.229619Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',16,'{"kind":"UndoEnded","step":"flight","attempt":1,"outcome":"succeeded","output":{"cancelled":true},"at":"2026-11-16T01:59:36.233642Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgegwmk4jr6jkkg3',17,'{"kind":"RunEnded","state":"undone","cause":{"kind":"request","by":"ada"},"digest":"34060db9a5541b1ef228e11861a15d51a9fc7df8d559e776474602ff94b97297","at":"2026-11-16T01:59:36.233698Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgwh3n1xe0jt8d1d',1,'{"kind":"RunStarted","run":"r00t3rgmsgwh3n1xe0jt8d1d","plan":{"steps":[{"id":"ok","ask":"Go on?","choices":["yes","no"]},{"id":"then","tool":"value","args":{"value":"${steps.ok}"}}],"name":"asking"},"inputs":{},"tools":{"value":{"name":"value"}},"seed":"r00t3rgmsgwh3n1xe0jt8d1d","format":1,"core":1,"flags":[],"at":"2026-11-16T01:59:36.249785Z"}');
INSERT INTO "journal" VALUES('r00t3rgmsgwh3n1xe0jt8d1d',2,'{"kind":"QuestionAsked","step":"ok","question":"ok#1","ask":"question","text":"Go on?","choices":["yes","no"],"at":"2026-11-16T01:59:36.249954Z"}');
CREATE TABLE plans (
	name VARCHAR NOT NULL,
	version INTEGER NOT NULL,
	digest VARCHAR NOT NULL,
	body TEXT NOT NULL,
	saved_at VARCHAR NOT NULL,
	CONSTRAINT pk_plans PRIMARY KEY (name, version)
)
 WITHOUT ROWID

;
INSERT INTO "plans" VALUES('trip',1,'59944f9655a1bf2b41e275c0ff79a34e88133f58a6488ab8cf5ce68b8f1d1185','{"steps":[{"id":"sky","tool":"weather","args":{"city":"Oslo"}},{"id":"flight","tool":"flights.book","args":{"to":"${steps.sky.city}"}},{"id":"each","tool":"value","args":{"value":"${item}"},"for_each":[1,2,3]}],"name":"trip"}','2026-11-16T01:59:36.281160+00:00');
CREATE TABLE runs (
	run VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	"plan" VARCHAR NOT NULL,
	content VARCHAR NOT NULL,
	tenant VARCHAR NOT NULL,
	"key" VARCHAR,
	started_at VARCHAR NOT NULL,
	ended VARCHAR,
	ended_at VARCHAR,
	CONSTRAINT pk_runs PRIMARY KEY (run)
)
 WITHOUT ROWID

;
INSERT INTO "runs" VALUES('r00t3rgmsfrp6hxg913cgqvt','trip','59944f9655a1bf2b41e275c0ff79a34e88133f58a6488ab8cf5ce68b8f1d1185','977785830f6f3e75f0a5714dab02c99605668f36f035094f07657ec9a29d5714','default','monday','2026-11-16T01:59:36.177800+00:00','succeeded','2026-11-16T01:59:36.196129+00:00');
INSERT INTO "runs" VALUES('r00t3rgmsg2hhfcbtvj2j154','broken','b45cf917abcde040ce4a9830e2de8308e179e9e9f654aee01a4b9cbda04ae329','665542ff6a72817a16e2bab92eef81624faa61e70458fd0258795648511f406c','default',NULL,'2026-11-16T01:59:36.197552+00:00','undone','2026-11-16T01:59:36.219025+00:00');
INSERT INTO "runs" VALUES('r00t3rgmsgegwmk4jr6jkkg3','trip','59944f9655a1bf2b41e275c0ff79a34e88133f58a6488ab8cf5ce68b8f1d1185','977785830f6f3e75f0a5714dab02c99605668f36f035094f07657ec9a29d5714','default',NULL,'2026-11-16T01:59:36.221137+00:00','undone','2026-11-16T01:59:36.233698+00:00');
INSERT INTO "runs" VALUES('r00t3rgmsgwh3n1xe0jt8d1d','asking','3be35d6558360fff048cacc8eb6e522b1f3f4ad0276fe955ba2c603455a33c04','4b6bae43ec27536803d1ced7a26096317c46a821d11730d44f4ba5e21ea33b3a','default',NULL,'2026-11-16T01:59:36.249785+00:00',NULL,NULL);
CREATE INDEX ix_inbox_pending ON inbox (seq) WHERE settled IS NULL;
CREATE INDEX ix_inbox_run ON inbox (run);
CREATE INDEX ix_runs_open ON runs (run) WHERE ended IS NULL;
CREATE UNIQUE INDEX ux_runs_tenant_key ON runs (tenant, "key") WHERE key IS NOT NULL;
DELETE FROM "sqlite_sequence";
COMMIT;
